import { useEffect, useId, useState } from 'preact/hooks';
import { NotLoaded } from '../../components/later.tsx';
import { Progress } from '../../components/progress.tsx';
import { CopyButton } from '../../components/secret.tsx';
import { CodeBlock } from './exchange-view.tsx';
import { type SampleLanguage, sampleLanguageNames, sampleLanguages, sampleOf } from './sample-model.ts';
import { masked, secretsOf } from './secrets-model.ts';
import type { HttpCall } from './try-model.ts';

/** The same call in the developer's language, with the application's own values. */
export function Samples({ call, number }: { readonly call: HttpCall; readonly number: number }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="samples" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        This call as code<span class="usa-sr-only">: {call.title}</span>
      </summary>
      {open && <Sample call={call} number={number} />}
    </details>
  );
}

function Sample({ call, number }: { readonly call: HttpCall; readonly number: number }) {
  const id = useId();
  const [language, setLanguage] = useState<SampleLanguage>('curl');
  const [code, setCode] = useState<{ readonly text: string } | 'failed'>();
  useEffect(() => {
    let current = true;
    setCode(undefined);
    sampleOf(language, call).then(
      (text) => {
        if (current) setCode({ text });
      },
      () => {
        if (current) setCode('failed');
      },
    );
    return () => {
      current = false;
    };
  }, [language, call]);
  const { name } = sampleLanguages[language];
  return (
    <>
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
        {code !== undefined && code !== 'failed' && (
          <CopyButton value={code.text} what={`the ${name} code with its secrets`} />
        )}
      </div>
      {code === undefined && <Progress words="Writing the code…" />}
      {code === 'failed' && <NotLoaded />}
      {code !== undefined && code !== 'failed' && (
        <CodeBlock text={masked(code.text, secretsOf(call))} label={`${name} code of request ${number}`} />
      )}
    </>
  );
}
