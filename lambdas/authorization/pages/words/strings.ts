/** Types of the texts of members' pages: every language has to have them all. */

import type { Language } from '../../../catalog/languages.ts';
import type { LineOfBusiness } from '../../../catalog/lines-of-business.ts';
import type { UnredirectableReason } from '../../../catalog/oauth/oauth-errors.ts';
import type { RepresentativeKind } from '../../../catalog/oauth/representative-roles.ts';
import type { ExchangeState } from '../../../catalog/payer/exchange-states.ts';
import type { SignInRefusal } from '../../oauth/member-account.ts';
import type { GuidePage } from '../../oauth/paths.ts';

/** Reason of a page that only shows a message. */
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
  | 'too_many_codes'
  | 'too_many_code_tries'
  | 'code_unsendable'
  | 'activation_not_possible'
  | 'nothing_to_share'
  | 'session_over'
  | 'signed_out'
  | 'still_signed_in'
  | 'logout_uri_unregistered'
  | 'logout_request_malformed'
  | 'defect'
  | 'unavailable';

/** Text of a page that only shows a message: what happened, and what the reader can do. */
export interface MessageText {
  readonly title: string;
  readonly advice: string;
}

/** A page of plain text: paragraphs and links under headings. */
export interface Guide {
  readonly title: string;
  readonly intro: string;
  readonly sections: readonly {
    readonly heading: string;
    readonly text?: string;
    readonly points?: readonly string[];
    readonly links?: readonly { readonly text: string; readonly uri: string }[];
  }[];
}

export interface CodeStrings {
  readonly title: string;
  /** @param to masked e-mail address or phone number. */
  readonly sent: (to: string) => string;
  readonly why: string;
  readonly label: string;
  readonly submit: string;
  readonly valid: string;
  readonly wrong: string;
  readonly over: string;
  readonly tooSoon: string;
  readonly busy: string;
  readonly none: string;
  readonly again: string;
  readonly byEmail: string;
  readonly byText: string;
  /**
   * Texts of messages to the member.
   *
   * @param plan the plan's name.
   */
  readonly subject: (plan: string) => string;
  readonly email: (code: string, plan: string) => string;
  readonly textMessage: (code: string, plan: string) => string;
}

export interface PatientStrings {
  readonly title: string;
  readonly intro: (application: string, plan: string) => string;
  readonly yourself: (name: string) => string;
  /** @param kind a text of `kinds`. */
  readonly represented: (kind: string) => string;
  readonly bornIn: (name: string, year: string) => string;
  readonly submit: string;
  readonly missing: string;
  readonly noLonger: string;
  /** Kinds of representatives, as they follow the words "as their". */
  readonly kinds: Readonly<Record<RepresentativeKind, string>>;
}

export interface ActivationStrings {
  /** Link to the activation on the sign-in page. */
  readonly link: string;
  readonly title: string;
  readonly intro: (plan: string) => string;
  readonly memberId: string;
  readonly memberIdHint: string;
  readonly birthDate: string;
  readonly birthDateHint: string;
  readonly month: string;
  readonly day: string;
  readonly year: string;
  readonly postalCode: string;
  readonly channel: string;
  readonly email: (code: string, plan: string) => string;
  readonly sms: string;
  readonly byEmail: string;
  readonly channelHint: string;
  readonly submit: string;
  readonly back: string;
  readonly missing: Readonly<Record<'memberId' | 'birthDate' | 'postalCode', string>>;
  readonly codeTitle: string;
  readonly sent: string;
  readonly noCodeTitle: string;
  readonly noCode: string;
  readonly startAgain: string;
  readonly passwordTitle: string;
  readonly passwordIntro: string;
  readonly username: (memberId: string) => string;
  readonly password: string;
  readonly again: string;
  readonly save: string;
  readonly passwordErrors: Readonly<
    Record<'missing' | 'different' | 'password_short' | 'password_known', string>
  >;
  /**
   * Subject of the message with the code.
   *
   * @param plan the plan's name.
   */
  readonly subject: (plan: string) => string;
  readonly textMessage: (code: string, plan: string) => string;
  readonly changedSubject: (plan: string) => string;
  readonly changed: (plan: string) => string;
}

export interface ConsentStrings {
  readonly title: (application: string) => string;
  /**
   * Title for a personal representative.
   *
   * @param patient name of the person whose data is shared.
   */
  readonly titleFor: (patient: string, application: string) => string;
  readonly onBehalfOf: (patient: string, kind: string) => string;
  readonly shareFor: (patient: string) => string;
  readonly signedInAs: (member: string) => string;
  readonly switchAccount: string;
  readonly unattestedTitle: string;
  readonly unattested: (application: string) => string;
  readonly what: string;
  readonly choose: string;
  readonly sensitive: string;
  readonly sensitiveHint: string;
  readonly nothingChosen: string;
  readonly identity: { readonly name: string; readonly detail: string };
  readonly readOnly: string;
  readonly withWhom: string;
  readonly at: (host: string) => string;
  readonly privacy: string;
  readonly terms: string;
  readonly contact: (address: string) => string;
  readonly noPrivacy: string;
  readonly opensElsewhere: string;
  readonly untilWhen: string;
  readonly until: (minutes: number, time: string) => string;
  readonly lasting: (day: string) => string;
  readonly thenAgain: string;
  readonly stopAnyTime: string;
  readonly endLabel: string;
  readonly endOn: (day: string) => string;
  readonly endAfter: (days: number, day: string) => string;
  readonly replaces: (application: string) => string;
  readonly outside: string;
  readonly share: string;
  readonly decline: string;
}

/** Reason why a sign-in at the plan's identity provider failed, as the member sees it. */
export type ProviderProblem = 'unavailable' | 'cancelled' | 'failed' | 'unknown_member';

/** Texts about the plan's own sign-in, whose name is the parameter `provider`. */
export interface ProviderStrings {
  readonly continueWith: (provider: string) => string;
  readonly orHere: string;
  readonly problems: Readonly<
    Record<
      ProviderProblem,
      {
        readonly title: string;
        readonly advice: (provider: string, plan: string) => string;
      }
    >
  >;
  readonly again: (provider: string) => string;
  readonly otherAccount: (provider: string) => string;
  readonly here: string;
}

export interface EndSessionStrings {
  readonly title: string;
  readonly asked: string;
  readonly askedBy: (application: string) => string;
  readonly goesOn: string;
  readonly stay: string;
}

export interface ConnectedAppsStrings {
  readonly title: string;
  /** Heading above the applications. */
  readonly apps: string;
  readonly intro: string;
  readonly none: string;
  readonly stopped: (application: string) => string;
  readonly shared: string;
  readonly whose: string;
  readonly sharedBy: string;
  /** @param kind a text of `PatientStrings.kinds`. */
  sharedByOne(name: string, kind: string): string;
  readonly since: string;
  readonly last: string;
  readonly never: string;
  notSince(time: string): string;
  readonly until: string;
  readonly unknownApp: string;
  /** Link that begins a sign-in at the application. */
  readonly open: (application: string) => string;
  readonly history: (application: string) => string;
  readonly historyTitle: (application: string) => string;
  readonly historyIntro: string;
  readonly when: string;
  readonly read: string;
  /** Result of a search without records, after the name of a data group. */
  gotNothing(group: string): string;
  gotOne(group: string): string;
  gotMany(group: string, records: number): string;
  readonly nothingRead: string;
  readonly older: string;
  readonly back: string;
  readonly stop: (application: string) => string;
  /** Question before the end, and its two answers. */
  readonly stopTitle: (application: string) => string;
  readonly stopHint: string;
  readonly stopNow: string;
  readonly keep: string;
  /** Way back from the end. */
  readonly shareAgain: (application: string) => string;
  readonly signOut: string;
  readonly signedOut: string;
  readonly signInIntro: (plan: string) => string;
}

export interface OtherPlansStrings {
  /** Headings: payers that asked this plan, and payers that this plan asks. */
  readonly asked: string;
  readonly asking: string;
  readonly askingIntro: string;
  readonly add: string;
  readonly states: Readonly<Record<ExchangeState, (plan: string) => string>>;
  readonly memberNumber: string;
  readonly groupNumber: string;
  readonly scope: string;
  readonly scopes: Readonly<Record<'regular' | 'sensitive', string>>;
  readonly permitted: string;
  /** Label of a permission that the enrollment system sent. */
  readonly permittedByPlan: string;
  readonly until: string;
  readonly noEnd: string;
  readonly chooseBy: string;
  readonly askBy: string;
  readonly next: string;
  readonly received: string;
  receivedOne(day: string): string;
  receivedMany(day: string, records: number): string;
  change(plan: string): string;
  allow(plan: string): string;
  stop(plan: string): string;
  saved(plan: string): string;
  stopped(plan: string): string;
  readonly formTitle: string;
  changeTitle(plan: string): string;
  readonly formIntro: string;
  readonly planName: string;
  readonly planNameHint: string;
  readonly memberNumberHint: string;
  readonly groupNumberHint: string;
  readonly coversLegend: string;
  readonly covers: Readonly<Record<'yes' | 'no', string>>;
  readonly scopeLegend: string;
  readonly scopeHint: string;
  readonly untilLabel: string;
  readonly untilHint: string;
  readonly submit: string;
  readonly save: string;
  readonly cancel: string;
  readonly errors: Readonly<Record<PlanFormFault, string>>;
  stopTitle(plan: string): string;
  readonly stopHint: string;
  readonly stopNow: string;
  readonly keep: string;
  /** Page of all disclosures and receipts. */
  readonly everything: string;
  readonly everythingIntro: string;
  readonly who: string;
  readonly what: string;
  to(name: string): string;
  from(plan: string): string;
  readonly unknownPlan: string;
}

/** Faults of the form about another plan. */
export type PlanFormFault =
  | 'plan_missing'
  | 'plan_long'
  | 'number_malformed'
  | 'covers_missing'
  | 'scope_missing'
  | 'until_past'
  | 'already'
  | 'too_many'
  | 'changed';

/** All texts of members' pages in one language. A language that lacks a text does not compile. */
export interface Strings {
  readonly language: Language;
  /** The language's own name, for the language switch. */
  readonly languageName: string;
  readonly languageSwitch: string;
  readonly error: string;
  readonly owner: string;
  readonly plans: Readonly<Record<LineOfBusiness, string>>;
  readonly help: string;
  readonly links: Readonly<Record<GuidePage | 'connected-apps', string>>;
  readonly signIn: {
    readonly title: string;
    readonly intro: (application: string, plan: string) => string;
    readonly username: string;
    readonly password: string;
    readonly keep: (minutes: number) => string;
    readonly keepHint: string;
    readonly submit: string;
    readonly problem: string;
    readonly errors: Readonly<
      Record<Exclude<SignInRefusal, 'locked' | 'not_covered'>, (plan: string) => string>
    >;
    readonly locked: (wait: string) => string;
    readonly seconds: (count: number) => string;
    readonly minutes: (count: number) => string;
    readonly usernameMissing: string;
    readonly passwordMissing: string;
    readonly passwordAgain: string;
  };
  readonly provider: ProviderStrings;
  readonly code: CodeStrings;
  readonly patient: PatientStrings;
  readonly activation: ActivationStrings;
  readonly consent: ConsentStrings;
  /** Page for a member whose account changed between sign-in and consent. */
  readonly accountEnded: {
    readonly title: string;
    readonly advice: string;
    readonly back: (application: string) => string;
  };
  readonly endSession: EndSessionStrings;
  readonly connectedApps: ConnectedAppsStrings;
  readonly otherPlans: OtherPlansStrings;
  readonly guides: Readonly<Record<GuidePage, Guide>>;
  readonly messages: Readonly<Record<MessageReason, MessageText>>;
  /** Names of the facts on an error page by which a refused request is found. */
  readonly reference: {
    readonly title: string;
    readonly requestId: string;
    readonly code: string;
    readonly address: string;
    readonly explanation: string;
  };
}
