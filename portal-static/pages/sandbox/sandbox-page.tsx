import { apiOrigin } from '../../../lambdas/catalog/addresses.ts';
import { interfaceFamilies, interfaceNames, offers } from '../../../lambdas/catalog/interface-families.ts';
import { lineOfBusinessCodes, linesOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import type { TestMemberView } from '../../../lambdas/portal/api/views.ts';
import { call } from '../../api/portal-client.ts';
import { Page } from '../../app/page.tsx';
import { DataTable, Facts } from '../../components/display.tsx';
import { Loaded, useRemote } from '../applications/remote.tsx';
import { MemberFacts } from './member-facts.tsx';
import type { Origins } from './try-model.ts';

/** The sandbox page: test members and the addresses of all hosts. */
export default function SandboxPage() {
  const members = useRemote(() => call('GET /api/sandbox/members'), 'members');
  const addresses = useRemote(() => call('GET /api/sandbox/addresses'), 'addresses');
  return (
    <Page
      title="Sandbox"
      lead="The sandbox has fictional members with fictional data. Sign in as one of them to test your application."
      width="wide"
    >
      <p>
        For a guided first call, open one of your <a href="/applications">applications</a> and choose “First
        call”. The page shows each request and response, with sample code.
      </p>
      <Loaded remote={members} words="Loading test members…">
        {(value) => <Members members={value.members} />}
      </Loaded>
      <section aria-labelledby="addresses">
        <h2 id="addresses">Sandbox addresses</h2>
        <Loaded remote={addresses} words="Loading addresses…">
          {(value) => <Addresses origins={value.environments.sandbox} />}
        </Loaded>
      </section>
    </Page>
  );
}

function Members(props: { readonly members: readonly TestMemberView[] }) {
  return (
    <>
      {lineOfBusinessCodes.map((lob) => {
        const members = props.members.filter((member) => member.lob === lob);
        if (members.length === 0) return null;
        return (
          <section key={lob} aria-labelledby={`members-${lob}`}>
            <h2 id={`members-${lob}`}>
              {lob} <span class="quiet">{linesOfBusiness[lob].name}</span>
            </h2>
            <ul class="members">
              {members.map((member) => (
                <li key={member.memberId} class="panel">
                  <h3>{member.name}</h3>
                  <p class="member-about">{member.about}</p>
                  <MemberFacts member={member} />
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </>
  );
}

function Addresses({ origins }: { readonly origins: Origins }) {
  return (
    <>
      <Facts
        facts={[
          ['Authorization server', <code key="auth">{origins.auth}</code>],
          ['Machine-to-machine tokens', <code key="token">{origins.token}/token/v2</code>],
          ['Scope for machine-to-machine tokens', <code key="scope">{origins.resourceId}/.default</code>],
        ]}
      />
      <DataTable
        caption="Hosts"
        columns={['Line of business', 'Host', ...interfaceNames.map((name) => interfaceFamilies[name].name)]}
        rows={lineOfBusinessCodes.map((lob) => ({
          key: lob,
          cells: [
            lob,
            <code key="host" class="address">
              {apiOrigin(origins, lob)}
            </code>,
            ...interfaceNames.map((name) => (offers(lob, name) ? 'Yes' : 'Not offered')),
          ],
        }))}
      />
      <Facts
        facts={interfaceNames.map((name) => [
          `Base path of ${interfaceFamilies[name].name}`,
          <code key={name}>{interfaceFamilies[name].basePath}</code>,
        ])}
      />
    </>
  );
}
