/** A call of the guided first call as a program in each language. */

import { useId, useState } from 'preact/hooks';
import { CopyButton } from '../../components/secret.tsx';
import { CodeBlock } from './code-block.tsx';
import type { HttpCall } from './http-call.ts';
import {
  neededAnew,
  repeatable,
  type SampleLanguage,
  sampleLanguageNames,
  sampleLanguages,
  sampleOf,
} from './sample-model.ts';
import { maskSecrets, secretsOf } from './secrets-model.ts';

interface SampleProps {
  readonly call: HttpCall;
  readonly number: number;
  /** Whether the call has no secret to hide: placeholders stand for them, as in a result that was kept, or everybody has them. */
  readonly isPublic?: boolean;
}

/** The program of a call, in a language of the reader's choice. */
export function Sample({ call, number, isPublic = false }: SampleProps) {
  const id = useId();
  const [language, setLanguage] = useState<SampleLanguage>('curl');
  const { name } = sampleLanguages[language];
  const code = sampleOf(language, call);
  const anew = neededAnew(call);
  return (
    <>
      {anew.length > 0 && (
        <p>
          This page has already used its values. They work once, and a repeated code ends the grant. Replace{' '}
          {anew.join(' and ')} with values from your own sign-in.
        </p>
      )}
      <div class="samples__choice">
        <label class="usa-label" for={id}>
          Language
        </label>
        <select
          class="usa-select"
          id={id}
          value={language}
          onChange={(event) => setLanguage(event.currentTarget.value as SampleLanguage)}
        >
          {sampleLanguageNames.map((one) => (
            <option key={one} value={one}>
              {sampleLanguages[one].name}
            </option>
          ))}
        </select>
        <CopyButton value={code} what={`the ${name} code${isPublic ? '' : ' with its secrets'}`} />
      </div>
      <CodeBlock
        text={isPublic ? code : maskSecrets(code, secretsOf(repeatable(call)))}
        label={`${name} code of request ${number}`}
      />
    </>
  );
}
