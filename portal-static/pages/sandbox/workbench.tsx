/** The exchanges of a first call, and the workbench below them. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Interface } from '../../../lambdas/catalog/interface-families.ts';
import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import { useAnnounce } from '../../app/announcer.tsx';
import type { AskedCall } from './asked-call.ts';
import { sendOnce, sendUntilThrottled } from './exchange.ts';
import { StepView } from './exchange-view.tsx';
import type { LessonStep } from './lesson.ts';
import type { Origins } from './try-model.ts';
import { type ChangedCall, WorkbenchForm } from './workbench-form.tsx';
import {
  baseOf,
  explained,
  idsAtHand,
  isVolley,
  placeOf,
  tokenAtHand,
  workbenchCall,
} from './workbench-model.ts';

/** Shows what was called so far. When the first call is over, more calls can be made with its token. */
export function Workbench(props: {
  readonly origins: Origins;
  readonly lob: LineOfBusiness;
  readonly products: readonly Interface[];
  /** The call that the form begins with. @default an example */
  readonly asked?: AskedCall | undefined;
  readonly steps: readonly LessonStep[];
  /** Whether the first call is over. */
  readonly isOver: boolean;
  readonly onStep: (step: LessonStep) => void;
}) {
  const { origins, lob, products, asked, steps, isOver, onStep } = props;
  const [busy, setBusy] = useState(false);
  const announce = useAnnounce();
  const list = useRef<HTMLOListElement>(null);
  /** Number of exchanges after which a new one takes the focus, because it answers the developer's press. */
  const awaited = useRef(Number.POSITIVE_INFINITY);
  const token = isOver ? tokenAtHand(steps) : undefined;
  useEffect(() => {
    if (steps.length <= awaited.current) return;
    awaited.current = Number.POSITIVE_INFINITY;
    list.current?.querySelector<HTMLElement>('li:last-child h2')?.focus();
  }, [steps.length]);
  const call = async ({ change, ...wanted }: ChangedCall) => {
    if (token === undefined || busy) return;
    setBusy(true);
    awaited.current = steps.length;
    const request = workbenchCall(origins, lob, wanted, token, change);
    const exchange = isVolley(change) ? (await sendUntilThrottled(request)).last : await sendOnce(request);
    onStep({ exchange, lesson: explained(exchange.answer?.status, change) });
    setBusy(false);
    announce(`Response ${exchange.answer?.status ?? 'missing'}.`);
  };
  const follow = (url: string) => {
    const place = placeOf(origins, lob, url);
    if (place !== undefined) void call({ ...place, method: 'GET', change: 'none' });
  };
  return (
    <>
      <ol class="exchanges" ref={list}>
        {steps.map((step, index) => (
          <StepView
            key={index}
            step={step}
            number={index + 1}
            {...(token !== undefined && {
              follow: { base: baseOf(origins, lob, step.exchange.call.url), onAddress: follow },
            })}
          />
        ))}
      </ol>
      {token !== undefined && (
        <WorkbenchForm
          // Clears the choice, because another line of business may offer other interfaces.
          key={lob}
          {...{ lob, products, busy }}
          asked={asked !== undefined && products.includes(asked.product) ? asked : undefined}
          ids={idsAtHand(steps, token.patient)}
          onCall={(changed) => void call(changed)}
        />
      )}
    </>
  );
}
