/** Requests and responses of members' pages. */

import type { Language } from '../../catalog/languages.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';
import type { AuditContext } from '../oauth/audit-decision.ts';
import type { LanguageSource } from '../pages/words/language.ts';
import type { RefusedRequest } from './refused-request.ts';

/** A browser's request to one of the pages of an LOB. */
export interface BrowserRequest extends LanguageSource {
  readonly lob: LineOfBusiness;
  /** The language to answer in. */
  readonly language: Language;
  /** `Origin` and `Sec-Fetch-Site` of the request. */
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
  /** The browser's IP address. */
  readonly address: string;
  readonly context: AuditContext;
}

/** Fields of every response. */
interface Answered {
  readonly setCookies?: readonly string[];
  /** The refused authorization request, for the log of calls of its application. */
  readonly refused?: RefusedRequest;
}

export interface PageResponse extends Answered {
  readonly kind: 'page';
  readonly status: number;
  readonly html: string;
  /** Source that forms of the page may also be sent to: Content-Security-Policy `form-action`. */
  readonly formAction?: string;
  /** Header `Allow` of a 405: the methods that the page has. */
  readonly allow?: string;
  /** Whole seconds until another try can succeed. */
  readonly retryAfterSeconds?: number;
}

/** A redirect to a page of ours or of the application. */
export interface RedirectResponse extends Answered {
  readonly kind: 'redirect';
  readonly location: string;
}

export type BrowserResponse = PageResponse | RedirectResponse;
