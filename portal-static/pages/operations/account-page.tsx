/** Operators' page of one account: its data, and decisions about it. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import type { AccountDecision } from '../../../lambdas/portal/api/operations.ts';
import type { OperatorAccountView } from '../../../lambdas/portal/api/operator-views.ts';
import { accountStates } from '../../../lambdas/portal/catalog/account-states.ts';
import { call } from '../../api/portal-client.ts';
import { useAnnounce } from '../../app/announcer.tsx';
import { Page } from '../../app/page.tsx';
import { Checkbox, CheckboxGroup } from '../../components/choices.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Tag, Time, Timeline } from '../../components/display.tsx';
import { Form } from '../../components/form.tsx';
import { TextArea } from '../../components/text-area.tsx';
import { useForm } from '../../forms/use-form.ts';
import { ActProblem } from '../applications/act-problem.tsx';
import { ConfirmButton } from '../applications/parts.tsx';
import { Loaded, type Remote, useAct, useRemote } from '../applications/remote.tsx';
import { accountActWords } from './account-model.ts';
import {
  type AccountDecisionWords,
  accountDecisionRequest,
  accountDecisions,
  accountStateLabel,
  openAccountDecisions,
} from './decision-model.ts';
import { QueueLine } from './queue-line.tsx';
import { useQueuePlace } from './queue-place.ts';
import { SignedUp } from './signed-up.tsx';
import { TakenAlert } from './taken-alert.tsx';

/** One account as it was given at sign-up, and what an operator can decide about it. */
export default function OperatorAccountPage() {
  const accountId = useRoute().params.accountId ?? '';
  const remote = useRemote(
    () => call('GET /api/operations/accounts/{accountId}', { path: { accountId } }),
    accountId,
  );
  const place = useQueuePlace(accountId);
  return (
    <Loaded remote={remote} words="Loading the account…">
      {(account) => (
        <Page
          title={`${account.firstName} ${account.lastName}`}
          over={
            <>
              <a href="/operations/accounts">Accounts</a>{' '}
              <Tag kind={account.state === 'active' ? 'good' : 'waiting'}>
                {accountStateLabel(account.state)}
              </Tag>
            </>
          }
          lead={accountStates[account.state]}
          width="wide"
        >
          <TakenAlert path={`/operations/accounts/${account.accountId}`} />
          <QueueLine place={place} />
          <Decide
            key={account.accountId}
            account={account}
            remote={remote}
            onTaken={(words) => void place.goOn({ name: account.company, words })}
          />
          <Authenticator account={account} remote={remote} />
          <h2>Sign-up information</h2>
          <SignedUp account={account} />
          <h2>Timeline</h2>
          <Timeline
            entries={account.timeline.map(({ at, actor, act, words }) => ({
              id: `${at} ${act}`,
              at,
              title: `${actor} ${accountActWords(act)}`,
              ...(words === undefined ? {} : { words: <p class="keep-lines">{words}</p> }),
            }))}
          />
        </Page>
      )}
    </Loaded>
  );
}

/** Resets the authenticator app of an operator who lost it. */
function Authenticator(props: {
  readonly account: OperatorAccountView;
  readonly remote: Remote<OperatorAccountView>;
}) {
  const { account, remote } = props;
  const { run, busy, problem } = useAct();
  const announce = useAnnounce();
  if (account.authenticatorSince === undefined) return null;
  const reset = async () => {
    const outcome = await run(() =>
      call('DELETE /api/operations/accounts/{accountId}/authenticator', {
        path: { accountId: account.accountId },
      }),
    );
    if (outcome?.ok !== true) return;
    remote.replace(outcome.value);
    announce('The authenticator app was reset.');
  };
  return (
    <section aria-labelledby="authenticator">
      <h2 id="authenticator">Authenticator app</h2>
      <p>
        Set up on <Time at={account.authenticatorSince} />.
      </p>
      {problem !== undefined && <ActProblem problem={problem} />}
      <ConfirmButton
        label="Reset authenticator app"
        title="Reset the authenticator app?"
        action="Reset authenticator app"
        pending={busy}
        onConfirm={() => void reset()}
      >
        <p>
          The sessions of {account.firstName} {account.lastName} end. We send a code at the next sign-in, and
          the operator sets up an app again. Confirm that the request comes from this operator.
        </p>
      </ConfirmButton>
    </section>
  );
}

function Decide(props: {
  readonly account: OperatorAccountView;
  readonly remote: Remote<OperatorAccountView>;
  /** Called when a decision is saved, with what is said of it on the page that follows. */
  readonly onTaken: (words: string) => void;
}) {
  const { account, remote } = props;
  const { run, busy, problem } = useAct();
  const announce = useAnnounce();
  const [act, setAct] = useState<AccountDecision['act']>();
  const heading = useRef<HTMLHeadingElement>(null);
  const decided = useRef(false);
  const decide = async (chosen: AccountDecision['act'], words: AccountDecisionWords) => {
    const outcome = await run(() =>
      call('POST /api/operations/accounts/{accountId}/decisions', {
        path: { accountId: account.accountId },
        body: accountDecisionRequest(chosen, words, account.version),
      }),
    );
    setAct(undefined);
    if (outcome?.ok === true) {
      decided.current = true;
      remote.replace(outcome.value);
      announce(`${accountDecisions[chosen].done}: ${account.company}.`);
      props.onTaken(accountDecisions[chosen].done);
    } else remote.reload();
  };
  useEffect(() => {
    // The dialog or form has disappeared with the button that had the focus.
    if (decided.current) heading.current?.focus();
    decided.current = false;
  }, [account]);
  const open = openAccountDecisions(account.state);
  return (
    <section class="next-step" aria-labelledby="decide">
      <h2 id="decide" ref={heading} tabIndex={-1}>
        Decision
      </h2>
      {problem !== undefined && <ActProblem problem={problem} />}
      {(open.includes('suspend') || account.state === 'suspended') && (
        <p>
          When an account is suspended,{' '}
          <a href={`/operations/applications?team=${account.teamId}`}>its team’s applications</a> keep running
          until you suspend them.
        </p>
      )}
      <SuspendedAlong account={account} />
      {open.length === 0 && problem === undefined && <p>There is no decision to make.</p>}
      <div class="form__actions">
        {open.map((one) =>
          accountDecisions[one].reason ? (
            <button
              key={one}
              type="button"
              class="usa-button usa-button--outline"
              aria-expanded={act === one}
              onClick={() => setAct(act === one ? undefined : one)}
            >
              {accountDecisions[one].label}
            </button>
          ) : (
            <ConfirmButton
              key={one}
              label={accountDecisions[one].label}
              title={`${accountDecisions[one].label}?`}
              action={accountDecisions[one].label}
              pending={busy}
              harmless
              onConfirm={() => void decide(one, {})}
            >
              <p>{accountDecisions[one].consequence}</p>
            </ConfirmButton>
          ),
        )}
      </div>
      {act !== undefined && (
        <Reason key={act} act={act} account={account} busy={busy} onReason={(words) => decide(act, words)} />
      )}
    </section>
  );
}

/** Applications that the suspension suspended too. */
function SuspendedAlong({ account: { suspended = [] } }: { readonly account: OperatorAccountView }) {
  if (suspended.length === 0) return null;
  return (
    <>
      <p>Applications suspended with the account:</p>
      <ul>
        {suspended.map(({ applicationId, name, outcome }) => (
          <li key={applicationId}>
            <a href={`/operations/applications/${applicationId}`}>{name}</a>
            {outcome === 'waiting' && ' (waiting for production to confirm)'}
          </li>
        ))}
      </ul>
    </>
  );
}

function Reason(props: {
  readonly act: AccountDecision['act'];
  readonly account: OperatorAccountView;
  readonly busy: boolean;
  readonly onReason: (words: AccountDecisionWords) => Promise<void>;
}) {
  const { act, account, busy } = props;
  const { label, consequence } = accountDecisions[act];
  const [confirming, setConfirming] = useState<AccountDecisionWords>();
  const form = useForm({
    schema: async () => (await import('./reason-schema.ts')).reasonSchema,
    send: async (words) => ({ ok: true, value: words }) as const,
    // Sent after the confirmation.
    done: setConfirming,
  });
  const { others = [], approved = [] } = (act === 'suspend' ? account.team : undefined) ?? {};
  const names = approved.map(({ name }) => name).join(', ');
  return (
    <Form form={form} action={`${label}…`}>
      <p>{consequence}</p>
      <TextArea form={form} name="reason" label="Reason" hint="The developer sees this text." />
      {approved.length > 0 && others.length === 0 && (
        <Checkbox
          form={form}
          name="unattended"
          label={`Also suspend the team’s applications: ${names}`}
          hint="No other team member is active. Members can no longer use suspended applications."
        />
      )}
      {approved.length > 0 && others.length > 0 && (
        <CheckboxGroup
          form={form}
          name="applications"
          label="Also suspend applications of the team"
          hint={`Other active team members: ${others.join(', ')}. Members can no longer use suspended applications.`}
          choices={approved.map(({ applicationId, name }) => ({ value: applicationId, label: name }))}
          optional
        />
      )}
      {confirming !== undefined && (
        <Confirm
          title={`${label}: ${account.company}?`}
          action={label}
          pending={busy}
          onConfirm={() => void props.onReason(confirming)}
          onCancel={() => setConfirming(undefined)}
        >
          <p>{consequence}</p>
        </Confirm>
      )}
    </Form>
  );
}
