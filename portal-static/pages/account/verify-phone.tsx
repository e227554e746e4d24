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
      lead={`Your e-mail address is confirmed. Now we sent a text message to ${account.codeSentTo ?? 'your phone'}.`}
    >
      <p>
        Was the number mistyped? <a href="/account/close">Drop this sign-up</a> and begin again.
      </p>
    </VerifyCode>
  );
}
