import { SignUpOrganization } from './sign-up-organization.tsx';

export default function SignUpPayer() {
  return <SignUpOrganization developerType="payer" title="Sign up for a payer entity" />;
}
