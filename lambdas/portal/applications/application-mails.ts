/** E-mail about applications, for the developers of a team. */

import type { Environment } from '../../catalog/environments.ts';
import type { ConfigurationField } from '../api/applications.ts';
import { fieldLabels } from '../api/field-labels.ts';
import type { DecisionCriterion } from '../catalog/application-states.ts';
import { decisionCriteria } from '../catalog/application-states.ts';
import type { ActEvent, Application } from './application.ts';
import type { Mail } from './application-ports.ts';
import { applicationSummary } from './application-view.ts';
import { decisionExpectedBy } from './decision-time.ts';

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
      `${name} is registered in the sandbox. View its credentials in the portal and make your first call.`,
  },
  promote: {
    subject: 'Your application is promoted to production',
    says: (name) =>
      `${name} is in the production category. Fill in its production values, then submit it for approval.`,
  },
  submit: {
    subject: 'Your application is waiting for approval',
    says: (name) => `${name} was submitted. An operator reviews it. We send you the decision by e-mail.`,
  },
  appeal: {
    subject: 'Your appeal was received',
    says: (name) => `Your appeal for ${name} was received. An operator reviews the application again.`,
  },
  recall: {
    subject: 'Your submission was recalled',
    says: (name) => `${name} is no longer waiting for approval. You can edit it and submit it again.`,
  },
  approve: {
    subject: 'Your application is approved',
    says: (name) =>
      `${name} is approved. It can now call the production interfaces with its production credentials.`,
  },
  request_changes: {
    subject: 'Changes to your application are requested',
    says: (name) =>
      `An operator requested changes to ${name}. Make the changes and submit the application again.`,
  },
  reject: {
    subject: 'Your application was rejected',
    says: (name) =>
      `${name} was rejected. In the portal, you can correct it and submit it again, or appeal the decision once.`,
  },
  suspend: {
    subject: 'Your application is suspended',
    says: (name) => `${name} is suspended in production. We refuse calls with its production credentials.`,
  },
  resume: {
    subject: 'Your application is reinstated',
    says: (name) => `${name} is reinstated. Its production credentials work again.`,
  },
  revoke: {
    subject: 'Your application’s access is revoked',
    says: (name) =>
      `${name} is permanently stopped in production. Its production credentials no longer work.`,
  },
  withdraw: {
    subject: 'Your application is withdrawn',
    says: (name) => `${name} was withdrawn from both environments. Its credentials no longer work.`,
  },
  submit_change: {
    subject: 'Your change is waiting for approval',
    says: (name) =>
      `A change to ${name} was submitted. The approved configuration keeps running until the decision.`,
  },
  discard_change: {
    subject: 'Your change was discarded',
    says: (name) => `The change to ${name} was discarded. The approved configuration keeps running.`,
  },
  approve_change: {
    subject: 'Your change is approved',
    says: (name) => `The change to ${name} is approved and now runs in production.`,
  },
  request_change_changes: {
    subject: 'Corrections to your change are requested',
    says: (name) =>
      `An operator requested corrections to the change to ${name}. The approved configuration keeps running.`,
  },
  reject_change: {
    subject: 'Your change was rejected',
    says: (name) => `The change to ${name} was rejected. The approved configuration keeps running.`,
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
      : [`Field: ${fieldLabels[event.field as ConfigurationField] ?? event.field}`]),
    ...(event.words === undefined || event.act === 'appeal'
      ? []
      : [`Message from the operator:\n${event.words}`]),
    ...(application.awaitingSince === undefined
      ? []
      : [`We expect to decide by ${dayInMail(decisionExpectedBy(application.awaitingSince))}.`]),
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

/** `December 4, 2026` */
function dayInMail(day: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));
}

function criterionText(criterion: DecisionCriterion): string {
  const { name, meaning } = decisionCriteria[criterion];
  return `Criterion: ${name}. ${meaning}`;
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
    `The old ${what} of ${name} in the ${environment} environment stops on ${timeInMail(endsAt)}. If your application still uses it, switch to the new one before that date. If you already stopped it in the portal, you do not need to do anything.`,
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
  return `View the application: ${portalOrigin}/applications/${applicationId}`;
}
