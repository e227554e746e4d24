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
        Wrong number? You cannot change it before you confirm it. <a href="/account/close">Start over</a> with
        your password, and sign up again with the correct number. You can use the same e-mail address.
      </p>
    </VerifyCode>
  );
}
