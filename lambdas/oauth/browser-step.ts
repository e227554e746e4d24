import type { EnvironmentOrigins } from '../catalog/addresses.ts';
import type { LineOfBusiness } from '../catalog/lines-of-business.ts';
import type { AuditContext } from './audit-event.ts';
import type { AuthorizationStore } from './authorization-store.ts';
import type { Parameters } from './parameters.ts';
import type { AuditTrail, ClientStore, Digests, Now, Random, SignIn } from './ports.ts';

/** What the member's pages work with. */
export interface AuthorizationServer {
  readonly origins: EnvironmentOrigins;
  readonly clients: ClientStore;
  readonly store: AuthorizationStore;
  readonly audit: AuditTrail;
  readonly signIn: SignIn;
  readonly digests: Digests;
  readonly random: Random;
  readonly now: Now;
  readonly interactionSeconds: number;
  readonly codeSeconds: number;
  readonly accessTokenSeconds: number;
  /** How long a grant with lasting access lives. */
  readonly grantSeconds: number;
}

/** A browser's request to one of the pages of a LOB. */
export interface BrowserRequest {
  readonly lob: LineOfBusiness;
  readonly query: Parameters;
  readonly form: Parameters;
  /** Cookie values by name. */
  readonly cookies: ReadonlyMap<string, string>;
  /** `Origin` and `Sec-Fetch-Site` of the request. */
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
  readonly context: AuditContext;
}

/** What the browser gets. */
export type BrowserAnswer =
  | {
      readonly status: number;
      readonly html: string;
      /** Where the page's forms may lead besides this host: Content-Security-Policy `form-action`. */
      readonly formAction?: string;
      readonly setCookie?: string;
    }
  | { readonly location: string; readonly setCookie?: string };
