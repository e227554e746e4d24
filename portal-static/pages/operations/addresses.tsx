import type { PreflightCheck } from '../../../lambdas/portal/api/views.ts';
import { Tag } from '../../components/display.tsx';
import { ValueLines } from '../applications/value-lines.tsx';
import type { AddressRow } from './review-model.ts';

const states: Readonly<
  Record<PreflightCheck['result'], { readonly text: string; readonly kind: 'good' | 'waiting' | 'bad' }>
> = {
  pass: { text: 'Answers', kind: 'good' },
  warn: { text: 'To check', kind: 'waiting' },
  fail: { text: 'To fix', kind: 'bad' },
  skipped: { text: 'To open', kind: 'waiting' },
};

/** The addresses of a submission, as links with what the pre-flight found there. */
export function Addresses({ rows }: { readonly rows: readonly AddressRow[] }) {
  return (
    <section aria-labelledby="addresses">
      <h2 id="addresses" class="part__title">
        Addresses
      </h2>
      <ul class="addresses">
        {rows.map(({ field, label, uri, result, forPrograms }) => (
          <li key={`${field} ${uri}`}>
            <span class="addresses__label">{label}</span>
            <span class="addresses__uri">
              <ValueLines field={field} value={uri} />
            </span>
            {result !== undefined && <Tag kind={states[result].kind}>{states[result].text}</Tag>}
            {forPrograms && <span class="quiet">Called by programs</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
