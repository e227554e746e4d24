import { SignUpOrganization } from './sign-up-organization.tsx';

export default function SignUpBrokerage() {
  return <SignUpOrganization developerType="brokerage" title="Sign up for a brokerage entity" />;
}
