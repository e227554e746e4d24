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
        The number is wrong? It cannot be changed before it is confirmed once.{' '}
        <a href="/account/close">Drop this sign-up</a> with your password, and sign up again with the right
        number. Your e-mail address is free again at once.
      </p>
    </VerifyCode>
  );
}
