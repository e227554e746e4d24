import { useEffect, useState } from 'preact/hooks';
import type { TeamView } from '../../../lambdas/portal-api/views.ts';
import { call, type Outcome } from '../../api/client.ts';
import type { Problem } from '../../api/problem.ts';
import { useAnnounce } from '../../app/announcer.tsx';
import { focusHeading, Page } from '../../app/page.tsx';
import { useSession } from '../../app/session.tsx';
import { ProblemAlert } from '../../components/alert.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Table, Time } from '../../components/display.tsx';
import { Form, Section } from '../../components/form.tsx';
import { Progress } from '../../components/progress.tsx';
import { EmailField } from '../../components/text-field.tsx';
import { accountSchemas } from '../../forms/account-schemas.ts';
import { useForm } from '../../forms/use-form.ts';

/** Something on this page that is asked about before it is done. */
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
    // The row is gone, and its button with it.
    focusHeading();
  };
  return (
    <Page
      title="Team"
      width="wide"
      lead="Everybody in a team sees and changes the same applications. Nobody shares a password."
    >
      {problem !== undefined && <ProblemAlert problem={problem} retry={() => void load()} focus />}
      {team === undefined && problem === undefined && <Progress words="Loading the team…" />}
      {team !== undefined && (
        <>
          <Members team={team} own={account?.accountId} ask={setAsked} />
          <Invitations team={team} ask={setAsked} />
          <Invite invited={load} />
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
        ? 'You no longer see its applications. You go on with a team of your own.'
        : `${member.name} no longer sees the team’s applications. Rotate the secrets this person knew.`,
      action: own ? 'Leave the team' : 'Remove',
      act: () => call('DELETE /api/team/members/{accountId}', { path: { accountId: member.accountId } }),
      said: own ? 'You have left the team.' : `${member.name} is removed.`,
    };
  };
  return (
    <Table
      caption={`In the team (${members.length})`}
      columns={['Name', 'E-mail address', 'Since', 'Change']}
      rows={members.map((member) => ({
        key: member.accountId,
        cells: [
          member.name,
          member.email,
          <Time key="since" at={member.joinedAt} />,
          members.length > 1 ? (
            <button
              type="button"
              class="usa-button usa-button--unstyled"
              onClick={() => props.ask(remove(member))}
            >
              {member.accountId === props.own ? 'Leave' : 'Remove'}
              <span class="usa-sr-only"> {member.name}</span>
            </button>
          ) : (
            'You alone'
          ),
        ],
      }))}
    />
  );
}

function Invitations(props: { readonly team: TeamView; readonly ask: (asked: Asked) => void }) {
  return (
    <Table
      caption="Open invitations"
      empty="No invitation is open."
      columns={['E-mail address', 'Invited by', 'Valid until', 'Change']}
      rows={props.team.invitations.map(({ invitationId, email, invitedBy, expiresAt }) => ({
        key: invitationId,
        cells: [
          email,
          invitedBy,
          <Time key="until" at={expiresAt} />,
          <button
            key="withdraw"
            type="button"
            class="usa-button usa-button--unstyled"
            onClick={() =>
              props.ask({
                title: `Withdraw the invitation of ${email}?`,
                words: 'The link in the message stops working.',
                action: 'Withdraw',
                act: () => call('DELETE /api/team/invitations/{invitationId}', { path: { invitationId } }),
                said: 'The invitation is withdrawn.',
              })
            }
          >
            Withdraw<span class="usa-sr-only"> the invitation of {email}</span>
          </button>,
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
      announce('The invitation is sent.');
      await props.invited();
    },
  });
  return (
    <Section title="Invite somebody" lead="They get a message with a link that works for seven days.">
      <Form form={form} action="Invite" pending="Inviting…">
        <EmailField form={form} name="email" label="E-mail address" autocomplete="off" />
      </Form>
    </Section>
  );
}
