import type { EnvironmentOrigins } from '../../catalog/addresses.ts';
import type { Language } from '../../catalog/languages.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Digests } from '../../kernel/digests.ts';
import type { Random } from '../../kernel/random.ts';
import type { AuditContext } from '../audit-event.ts';
import type { MemberGrants } from '../connected-apps/member-grants.ts';
import type { LanguageSource } from '../pages/words/language.ts';
import type {
  AuthorizationAuditTrail,
  ClientStore,
  IdTokenHints,
  IsAccountActive,
  IsAccountClosed,
  MemberSignIn,
} from '../ports.ts';
import type { AuthorizationStore } from './authorization-store.ts';
import type { SignInStore } from './sign-in-store.ts';
import type { SsoSessionStore } from './sso-session-store.ts';
import type { VerificationServices } from './verification-code.ts';

/** What the member's pages work with. */
export interface AuthorizationServer {
  readonly origins: EnvironmentOrigins;
  readonly clients: ClientStore;
  readonly store: AuthorizationStore;
  readonly signIns: SignInStore;
  readonly ssoSessions: SsoSessionStore;
  readonly hints: IdTokenHints;
  readonly grants: MemberGrants;
  readonly audit: AuthorizationAuditTrail;
  readonly signIn: MemberSignIn;
  readonly isAccountActive: IsAccountActive;
  readonly isAccountClosed: IsAccountClosed;
  readonly verification: VerificationServices;
  readonly digests: Digests;
  readonly random: Random & { digits(count: number): string };
  readonly now: Clock;
  readonly interactionSeconds: number;
  readonly authorizationCodeSeconds: number;
  readonly accessTokenSeconds: number;
  /** How long a grant with lasting access lives. */
  readonly grantSeconds: number;
}

/** A browser's request to one of the pages of a LOB. */
export interface BrowserRequest extends LanguageSource {
  readonly lob: LineOfBusiness;
  /** The language to answer in. */
  readonly language: Language;
  /** `Origin` and `Sec-Fetch-Site` of the request. */
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
  /** The caller's address. */
  readonly address: string;
  readonly context: AuditContext;
}

/** What the browser gets. */
export type BrowserResponse =
  | {
      readonly status: number;
      readonly html: string;
      /** Where the page's forms may lead besides this host: Content-Security-Policy `form-action`. */
      readonly formAction?: string;
      /** The methods the page has, where the request's is none of them. */
      readonly allow?: string;
      /** Whole seconds until it is worth trying again. */
      readonly retryAfterSeconds?: number;
      readonly setCookies?: readonly string[];
    }
  | { readonly location: string; readonly setCookies?: readonly string[] };
