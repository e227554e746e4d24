import { useState } from 'preact/hooks';
import { makeSigningKey } from './signing-key-model.ts';
import { keepSigningKey } from './signing-key-store.ts';

/** Makes a key before there is an application: its public part goes into the form, the other one stays in this browser. */
export function MakeKey(props: { readonly onKeySet: (text: string) => void }) {
  const [said, setSaid] = useState('');
  const make = async () => {
    const key = await makeSigningKey();
    try {
      await keepSigningKey(key);
    } catch {
      setSaid('This browser keeps no keys, as in some private windows. Try it in an ordinary window.');
      return;
    }
    props.onKeySet(JSON.stringify({ keys: [key.publicJwk] }, null, 2));
    setSaid(
      'The public key is filled in. The private key stays in this browser, for the guided first call; your program needs a key of its own before production.',
    );
  };
  return (
    <div class="make-key">
      <p>For a first try, let this browser make one.</p>
      <button type="button" class="usa-button usa-button--outline" onClick={() => void make()}>
        Make a key pair in this browser
      </button>
      <p role="status">{said}</p>
    </div>
  );
}
