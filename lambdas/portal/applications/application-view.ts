/** Applications as the API shows them. */

import type { ApplicationSummary, ApplicationView } from '../api/views.ts';
import type { PortalActor } from '../catalog/account-states.ts';
import { allowedActs } from './allowed-acts.ts';
import type { Application, LoadedApplication } from './application.ts';
import { decisionExpectedBy } from './decision-time.ts';
import { differences } from './difference.ts';

export function applicationSummary(it: Application): ApplicationSummary {
  return {
    applicationId: it.applicationId,
    name: (it.approved?.configuration ?? it.production ?? it.sandbox).applicationName,
    state: it.state,
    changeState: it.changeState,
    version: it.version,
    updatedAt: it.updatedAt,
    attested: it.attestation !== undefined,
  };
}

/** An application as its team or an operator sees it. A client id is empty until its environment has given one. */
export function applicationView(loaded: LoadedApplication, viewer: PortalActor): ApplicationView {
  const { application: it, clients, evidence, timeline } = loaded;
  return {
    ...applicationSummary(it),
    sandbox: { clientId: clients.sandbox ?? '', configuration: it.sandbox },
    ...productionOf(loaded),
    ...changeOf(it),
    ...resubmissionOf(it),
    ...(it.attestation === undefined ? {} : { attestation: it.attestation }),
    evidence,
    timeline,
    allowed: allowedActs(it, viewer),
    ...decisionOf(it),
    appealed: it.appealed,
    ...(it.awaitingSince === undefined ? {} : { decisionExpectedBy: decisionExpectedBy(it.awaitingSince) }),
    ...pendingOf(loaded),
  };
}

function pendingOf({ pending }: LoadedApplication): Pick<ApplicationView, 'pending'> {
  if (pending.length === 0) return {};
  return { pending: pending.map(({ environment, since }) => ({ environment, since })) };
}

function productionOf({ application, clients }: LoadedApplication): Pick<ApplicationView, 'production'> {
  const { production, approved } = application;
  if (production === undefined) return {};
  return {
    production: {
      clientId: clients.production ?? '',
      configuration: production,
      ...(approved === undefined ? {} : { approved: approved.configuration }),
    },
  };
}

function changeOf({ change, approved }: Application): Pick<ApplicationView, 'change'> {
  if (change === undefined || approved === undefined) return {};
  return { change: { configuration: change, difference: differences(approved.configuration, change) } };
}

/** The differences of a resubmission: from the submission before, or while it is being edited, from the last one. */
function resubmissionOf({
  state,
  production,
  submitted,
  submittedBefore,
}: Application): Pick<ApplicationView, 'resubmission'> {
  const before = state === 'awaiting_operator_approval' ? submittedBefore : submitted;
  const isOpen = ['awaiting_operator_approval', 'promoted_to_production', 'changes_requested', 'rejected'];
  if (before === undefined || production === undefined || !isOpen.includes(state)) return {};
  return { resubmission: differences(before, production) };
}

function decisionOf({ decision }: Application): Pick<ApplicationView, 'decision'> {
  if (decision === undefined) return {};
  const { act: _act, by: _by, ...shown } = decision;
  return { decision: shown };
}
