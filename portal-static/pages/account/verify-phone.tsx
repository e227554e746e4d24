/** Page where a new account enters the code from the text message. */

import { useStep } from './use-step.ts';
import { VerifyCode } from './verify-code.tsx';

export default function VerifyPhone() {
  const account = useStep('verify_phone');
  if (account === undefined) return null;
  return (
    <VerifyCode
      account={account}
      channel="phone"
      title="Enter the code from your phone"
      lead={`Your e-mail address is confirmed. We sent a text message to ${account.codeSentTo ?? 'your phone'}.`}
    >
      <p>
        Wrong number? <a href="/account/phone">Correct it</a>. The rest of your sign-up stays as you entered
        it.
      </p>
    </VerifyCode>
  );
}
