/** Team page: members, invitations, roles. */

import { useEffect, useState } from 'preact/hooks';
import type { TeamView } from '../../../lambdas/portal/api/views.ts';
import { call, type Outcome } from '../../api/portal-client.ts';
import type { Problem } from '../../api/problem.ts';
import { useAnnounce } from '../../app/announcer.tsx';
import { focusHeading, Page } from '../../app/page.tsx';
import { useSession } from '../../app/session.tsx';
import { ProblemAlert } from '../../components/alert.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { DataTable, Time } from '../../components/display.tsx';
import { Form, Section } from '../../components/form.tsx';
import { Progress } from '../../components/progress.tsx';
import { EmailField } from '../../components/text-field.tsx';
import { accountSchemas } from '../../forms/schemas.ts';
import { useForm } from '../../forms/use-form.ts';

/** An action that waits for confirmation. */
interface Asked {
  readonly title: string;
  readonly words: string;
  readonly action: string;
  readonly act: () => Promise<Outcome<unknown>>;
  readonly said: string;
}

export default function Team() {
  const [team, setTeam] = useState<TeamView>();
  const [problem, setProblem] = useState<Problem>();
  const [asked, setAsked] = useState<Asked>();
  const { account, refresh } = useSession();
  const own = account?.accountId;
  const announce = useAnnounce();
  const load = async () => {
    const outcome = await call('GET /api/team');
    setProblem(outcome.ok ? undefined : outcome.problem);
    if (outcome.ok) setTeam(outcome.value);
  };
  useEffect(() => {
    void load();
  }, []);
  const confirm = async ({ act, said }: Asked) => {
    const outcome = await act();
    setAsked(undefined);
    if (!outcome.ok) return setProblem(outcome.problem);
    announce(said);
    await Promise.all([load(), refresh()]);
    // The focused button was removed with its row, so the focus moves to the heading.
    focusHeading();
  };
  return (
    <Page
      title="Team"
      width="wide"
      lead="All members of a team can view and change its applications. Each member signs in with their own account."
    >
      {problem !== undefined && <ProblemAlert problem={problem} retry={() => void load()} focus />}
      {team === undefined && problem === undefined && <Progress words="Loading the team…" />}
      {team !== undefined && (
        <>
          <Members team={team} own={own} ask={setAsked} />
          <Invitations team={team} own={own} ask={setAsked} />
          {isOwner(team, own) ? (
            <Invite invited={load} />
          ) : (
            <p>Only owners can invite and remove people and make others owners.</p>
          )}
        </>
      )}
      {asked !== undefined && (
        <Confirm
          title={asked.title}
          action={asked.action}
          onConfirm={() => void confirm(asked)}
          onCancel={() => setAsked(undefined)}
        >
          <p>{asked.words}</p>
        </Confirm>
      )}
    </Page>
  );
}

const isOwner = ({ members }: TeamView, own: string | undefined) =>
  members.some(({ accountId, role }) => accountId === own && role === 'owner');

const roleNames = { owner: 'Owner', member: 'Member' } as const;

function Members(props: {
  readonly team: TeamView;
  readonly own: string | undefined;
  readonly ask: (asked: Asked) => void;
}) {
  const { members } = props.team;
  const remove = (member: TeamView['members'][number]): Asked => {
    const own = member.accountId === props.own;
    return {
      title: own ? 'Leave the team?' : `Remove ${member.name}?`,
      words: own
        ? 'You no longer see the team’s applications. You get a team of your own. If you are the only owner, the longest-standing member becomes an owner.'
        : `${member.name} no longer sees the team’s applications. Rotate the secrets this person has seen.`,
      action: own ? 'Leave the team' : 'Remove',
      act: () => call('DELETE /api/team/members/{accountId}', { path: { accountId: member.accountId } }),
      said: own ? 'You left the team.' : `${member.name} was removed.`,
    };
  };
  return (
    <DataTable
      caption={`Members (${members.length})`}
      columns={['Name', 'E-mail address', 'Role', 'Since', 'Change']}
      rows={members.map((member) => ({
        key: member.accountId,
        cells: [
          member.name,
          member.email,
          roleNames[member.role],
          <Time key="since" at={member.joinedAt} />,
          members.length > 1 ? (
            <Change key="change" {...props} member={member} remove={remove} />
          ) : (
            'Only member'
          ),
        ],
      }))}
    />
  );
}

type Member = TeamView['members'][number];

/** Buttons of a team member's row: any member can leave; owners can change roles and remove members. */
function Change(props: {
  readonly team: TeamView;
  readonly own: string | undefined;
  readonly ask: (asked: Asked) => void;
  readonly member: Member;
  readonly remove: (member: Member) => Asked;
}) {
  const { team, own, member, ask, remove } = props;
  const { accountId, name } = member;
  const isOwn = accountId === own;
  if (!isOwn && !isOwner(team, own)) return <>–</>;
  const role = member.role === 'owner' ? 'member' : 'owner';
  const what = role === 'owner' ? 'an owner' : 'a member';
  return (
    <span class="form__actions">
      <button type="button" class="usa-button usa-button--unstyled" onClick={() => ask(remove(member))}>
        {isOwn ? 'Leave' : 'Remove'}
        <span class="usa-sr-only"> {name}</span>
      </button>
      {!isOwn && (
        <button
          type="button"
          class="usa-button usa-button--unstyled"
          onClick={() =>
            ask({
              title: `Make ${name} ${what}?`,
              words:
                role === 'owner'
                  ? 'Owners can invite and remove people, including you, and make others owners.'
                  : `${name} can still work on the applications, but can no longer invite or remove people.`,
              action: `Make ${what}`,
              act: () => call('PUT /api/team/members/{accountId}', { path: { accountId }, body: { role } }),
              said: `${name} is now ${what}.`,
            })
          }
        >
          Make<span class="usa-sr-only"> {name}</span> {what}
        </button>
      )}
    </span>
  );
}

function Invitations(props: {
  readonly team: TeamView;
  readonly own: string | undefined;
  readonly ask: (asked: Asked) => void;
}) {
  const mayWithdraw = isOwner(props.team, props.own);
  return (
    <DataTable
      caption="Open invitations"
      empty="There are no open invitations."
      columns={['E-mail address', 'Invited by', 'Valid until', 'Change']}
      rows={props.team.invitations.map(({ invitationId, email, invitedBy, expiresAt }) => ({
        key: invitationId,
        cells: [
          email,
          invitedBy,
          <Time key="until" at={expiresAt} />,
          !mayWithdraw ? (
            '–'
          ) : (
            <button
              key="withdraw"
              type="button"
              class="usa-button usa-button--unstyled"
              onClick={() =>
                props.ask({
                  title: `Withdraw the invitation for ${email}?`,
                  words: 'The link in the message stops working.',
                  action: 'Withdraw',
                  act: () => call('DELETE /api/team/invitations/{invitationId}', { path: { invitationId } }),
                  said: 'The invitation was withdrawn.',
                })
              }
            >
              Withdraw<span class="usa-sr-only"> the invitation for {email}</span>
            </button>
          ),
        ],
      }))}
    />
  );
}

function Invite(props: { readonly invited: () => Promise<void> }) {
  const announce = useAnnounce();
  const form = useForm({
    schema: async () => (await accountSchemas()).invitationRequest,
    draft: 'invite',
    send: (body) => call('POST /api/team/invitations', { body }),
    done: async () => {
      form.set('email', '');
      announce('The invitation was sent.');
      await props.invited();
    },
  });
  return (
    <Section title="Invite someone" lead="We send an invitation link that is valid for seven days.">
      <Form form={form} action="Invite" pending="Inviting…">
        <EmailField form={form} name="email" label="E-mail address" autocomplete="off" />
      </Form>
    </Section>
  );
}
