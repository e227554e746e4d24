import type { Language } from '../../catalog/languages.ts';
import type { LineOfBusiness } from '../../catalog/lines-of-business.ts';

/** A page of a member who is signed in at the connected apps. */
export interface MemberPage {
  readonly language: Language;
  readonly lob: LineOfBusiness;
  readonly memberName: string;
  /** Hidden field that binds the page's forms to the session. */
  readonly formToken: string;
}
