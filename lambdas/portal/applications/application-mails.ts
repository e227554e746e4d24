import type { Environment } from '../../catalog/environments.ts';
import type { ConfigurationField } from '../api/applications.ts';
import { fieldLabels } from '../api/field-labels.ts';
import type { DecisionCriterion } from '../catalog/applications.ts';
import { decisionCriteria } from '../catalog/applications.ts';
import type { ActEvent, Application } from './application.ts';
import { applicationSummary } from './application-view.ts';
import type { Mail } from './services.ts';

interface Text {
  /** Without the application's name: a subject is shown on locked screens. */
  readonly subject: string;
  readonly says: (name: string) => string;
}

/** The mails of each act; an act without a row sends none. */
const texts: Readonly<Partial<Record<ActEvent['act'], Text>>> = {
  register: {
    subject: 'Your application is registered in the sandbox',
    says: (name) =>
      `${name} is registered in the sandbox. View its credentials in the portal and make a first call.`,
  },
  promote: {
    subject: 'Your application is promoted to production',
    says: (name) =>
      `${name} is in the production category. Fill in its production values, then submit it for approval.`,
  },
  submit: {
    subject: 'Your application awaits approval',
    says: (name) =>
      `${name} was submitted. An operator looks at it, and you will get a mail with the decision.`,
  },
  appeal: {
    subject: 'Your appeal was received',
    says: (name) => `Your appeal for ${name} was received. An operator looks at the application again.`,
  },
  recall: {
    subject: 'Your submission was taken back',
    says: (name) => `${name} no longer awaits approval. You can edit it and submit it again.`,
  },
  approve: {
    subject: 'Your application is approved',
    says: (name) => `${name} is approved. Its production credentials may call the production interfaces now.`,
  },
  request_changes: {
    subject: 'Changes to your application are asked for',
    says: (name) => `An operator asks for changes to ${name}. Make them and submit it again.`,
  },
  reject: {
    subject: 'Your application was rejected',
    says: (name) =>
      `${name} was rejected. You can correct it and submit it again, or appeal the decision once, in the portal.`,
  },
  suspend: {
    subject: 'Your application is suspended',
    says: (name) =>
      `${name} is stopped in production for now: calls with its production credentials are refused.`,
  },
  resume: {
    subject: 'Your application may call production again',
    says: (name) => `The suspension of ${name} has ended. Its production credentials work again.`,
  },
  revoke: {
    subject: 'Your application’s access was ended',
    says: (name) => `${name} is stopped in production for good. Its production credentials no longer work.`,
  },
  withdraw: {
    subject: 'Your application is withdrawn',
    says: (name) => `${name} was ended in both environments. Its credentials no longer work.`,
  },
  submit_change: {
    subject: 'Your change awaits approval',
    says: (name) => `A change to ${name} was submitted. What was approved keeps running until a decision.`,
  },
  discard_change: {
    subject: 'Your change was dropped',
    says: (name) => `The change to ${name} was dropped. What was approved keeps running.`,
  },
  approve_change: {
    subject: 'Your change is approved',
    says: (name) => `The change to ${name} is approved and runs in production now.`,
  },
  request_change_changes: {
    subject: 'Corrections to your change are asked for',
    says: (name) =>
      `An operator asks for corrections to the change of ${name}. What was approved keeps running.`,
  },
  reject_change: {
    subject: 'Your change was rejected',
    says: (name) => `The change to ${name} was rejected. What was approved keeps running.`,
  },
};

/** @param portalOrigin like `https://developer.example.org`. */
export function actMails(
  application: Application,
  event: ActEvent,
  accountEmail: string | undefined,
  portalOrigin: string,
): readonly Mail[] {
  const text = texts[event.act];
  if (text === undefined) return [];
  const { name } = applicationSummary(application);
  const body = [
    text.says(name),
    ...(event.criterion === undefined ? [] : [criterionText(event.criterion)]),
    ...(event.field === undefined
      ? []
      : [`It is about: ${fieldLabels[event.field as ConfigurationField] ?? event.field}`]),
    ...(event.words === undefined || event.act === 'appeal'
      ? []
      : [`In the operator’s words:\n${event.words}`]),
    link(portalOrigin, application.applicationId),
  ];
  return recipients(application, accountEmail).map((to) => ({
    to,
    subject: text.subject,
    text: body.join('\n\n'),
  }));
}

/** `November 27, 2026 at 9:00 AM UTC` */
function timeInMail(time: string): string {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat('en-US', format).format(new Date(time)).replace(/\u202f/g, ' ')} UTC`;
}

function criterionText(criterion: DecisionCriterion): string {
  const { name, meaning } = decisionCriteria[criterion];
  return `The criterion: ${name}. ${meaning}`;
}

export interface EndingCredential {
  readonly environment: Environment;
  readonly what: 'client secret' | 'subscription key';
  /** ISO 8601. */
  readonly endsAt: string;
}

/** Makes the mails sent before the old credential of a rotation stops. */
export function endingMails(
  application: Application,
  { environment, what, endsAt }: EndingCredential,
  notBefore: string,
  accountEmail: string | undefined,
  portalOrigin: string,
): readonly Mail[] {
  const { name } = applicationSummary(application);
  const text = [
    `The old ${what} of ${name} in the ${environment} environment stops on ${timeInMail(endsAt)}. If your application still uses it, change over to the new one before that. If it was stopped in the portal already, there is nothing to do.`,
    link(portalOrigin, application.applicationId),
  ].join('\n\n');
  const subject = 'An old credential of your application stops soon';
  return recipients(application, accountEmail).map((to) => ({ to, subject, text, notBefore }));
}

/** The account's address, and the application's own where it is another. */
function recipients(application: Application, accountEmail: string | undefined): readonly string[] {
  const { contactEmail } =
    application.approved?.configuration ?? application.production ?? application.sandbox;
  const addresses = accountEmail === undefined ? [contactEmail] : [accountEmail, contactEmail];
  const seen = new Set<string>();
  return addresses.filter((address) => {
    const isNew = !seen.has(address.toLowerCase());
    seen.add(address.toLowerCase());
    return isNew;
  });
}

function link(portalOrigin: string, applicationId: string): string {
  return `See the application: ${portalOrigin}/applications/${applicationId}`;
}
