/** Page where a new account enters the code from the e-mail. */

import { useStep } from './use-step.ts';
import { VerifyCode } from './verify-code.tsx';

export default function VerifyEmail() {
  const account = useStep('verify_email');
  if (account === undefined) return null;
  return (
    <VerifyCode
      account={account}
      channel="email"
      title="Enter the code from your e-mail"
      lead={`We sent a message to ${account.email}.`}
    >
      <p>
        Wrong address? <a href="/account/close">Start over</a> with the correct address.
      </p>
    </VerifyCode>
  );
}
