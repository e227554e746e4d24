import { useState } from 'preact/hooks';
import '../../app/kernel.ts';
import { makeSigningKey } from './signing-key-model.ts';
import { keepSigningKey } from './signing-key-store.ts';

/** Makes a key pair before the application is registered: the public key goes into the form, the private key stays in this browser. */
export function MakeKey(props: { readonly onKeySet: (text: string) => void }) {
  const [said, setSaid] = useState('');
  const make = async () => {
    const key = await makeSigningKey();
    try {
      await keepSigningKey(key);
    } catch {
      setSaid(
        'This browser cannot store keys, which is usual in private windows. Try again in a regular window.',
      );
      return;
    }
    props.onKeySet(JSON.stringify({ keys: [key.publicJwk] }, null, 2));
    setSaid(
      'The public key is filled in. The private key stays in this browser for the guided first call. Your application needs its own key before production.',
    );
  };
  return (
    <div class="make-key">
      <p>For your first call, you can create a key in this browser.</p>
      <button type="button" class="usa-button usa-button--outline" onClick={() => void make()}>
        Create a key pair in this browser
      </button>
      <p role="status">{said}</p>
    </div>
  );
}
