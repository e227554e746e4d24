import type { TestMemberView } from '../../../lambdas/portal/api/views.ts';
import { Facts } from '../../components/display.tsx';
import { CopyButton } from '../../components/secret.tsx';

/** The credentials and the Patient ID of a test member, each with a button that copies it. */
export function MemberFacts({ member }: { readonly member: TestMemberView }) {
  const copied = (value: string, what: string) => (
    <span class="secret" key={what}>
      <code class="secret__value">{value}</code>
      <CopyButton value={value} what={`${what} of ${member.name}`} />
    </span>
  );
  return (
    <Facts
      facts={[
        ['Member ID', copied(member.memberId, 'member ID')],
        ['Password', copied(member.password, 'password')],
        ['Patient ID', copied(member.patientId, 'patient id')],
      ]}
    />
  );
}
