import type { UnredirectableReason } from '../authorization-error.ts';
import type { SignInRefusal } from '../ports.ts';

/** Why a page says that it can't go on. */
export type MessageReason =
  | UnredirectableReason
  | 'interaction_unknown'
  | 'interaction_expired'
  | 'interaction_answered'
  | 'form_foreign'
  | 'answer_missing'
  | 'form_malformed'
  | 'line_of_business_unknown'
  | 'page_unknown'
  | 'method_not_allowed'
  | 'defect'
  | 'unavailable';

/** A page that is only a message: what happened, and what the reader can do. */
export interface Message {
  readonly title: string;
  readonly advice: string;
}

/** Every word on the member's pages, in one language. A language that lacks one does not compile. */
export interface Strings {
  readonly language: string;
  readonly error: string;
  readonly signIn: {
    readonly title: string;
    readonly intro: (application: string, plan: string) => string;
    readonly username: string;
    readonly password: string;
    readonly submit: string;
    readonly problem: string;
    readonly errors: Readonly<Record<SignInRefusal, string>>;
    readonly usernameMissing: string;
    readonly passwordMissing: string;
    readonly passwordAgain: string;
  };
  readonly consent: {
    readonly title: (application: string) => string;
    readonly signedInAs: (member: string) => string;
    readonly unattestedTitle: string;
    readonly unattested: (application: string) => string;
    readonly what: string;
    /** By FHIR resource type. */
    readonly groups: Readonly<Record<string, { readonly name: string; readonly detail: string }>>;
    readonly otherGroup: (resourceType: string) => string;
    readonly identity: { readonly name: string; readonly detail: string };
    readonly readOnly: string;
    readonly withWhom: string;
    readonly at: (host: string) => string;
    readonly privacy: string;
    readonly terms: string;
    readonly noPrivacy: string;
    readonly opensElsewhere: string;
    readonly untilWhen: string;
    readonly until: (minutes: number, time: string) => string;
    /** Access that lasts when the member has gone. */
    readonly untilDate: (date: string) => string;
    readonly thenAgain: string;
    readonly outside: string;
    readonly share: string;
    readonly decline: string;
  };
  readonly messages: Readonly<Record<MessageReason, Message>>;
}
