/** The exchanges of an application's calls, and the workbench below them. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Interface } from '../../../lambdas/catalog/interface-families.ts';
import type { LineOfBusiness } from '../../../lambdas/catalog/lines-of-business.ts';
import { useAnnounce } from '../../app/announcer.tsx';
import { ActButton } from '../applications/parts.tsx';
import type { AskedCall } from './asked-call.ts';
import { sendOnce } from './exchange.ts';
import { StepView } from './exchange-view.tsx';
import { pollJob } from './job-poll.ts';
import { keepCall } from './kept-history.ts';
import { type LessonStep, throttledStep, waitFor } from './lesson.ts';
import type { TokenAct } from './token-acts.ts';
import type { Origins } from './try-model.ts';
import { type ChangedCall, WorkbenchForm } from './workbench-form.tsx';
import {
  baseOf,
  explained,
  idsAtHand,
  isVolley,
  placeOf,
  type TokenAtHand,
  tokenAtHand,
  workbenchCall,
} from './workbench-model.ts';

/** Shows what was called so far. When the first call is over, more calls can be made with its token. */
export function Workbench(props: {
  readonly applicationId: string;
  readonly origins: Origins;
  readonly lob: LineOfBusiness;
  readonly products: readonly Interface[];
  /** The call that the form begins with. @default an example */
  readonly asked?: AskedCall | undefined;
  readonly steps: readonly LessonStep[];
  /** Whether the first call is over. */
  readonly isOver: boolean;
  readonly onStep: (step: LessonStep) => void;
  /** Acts on the token; absent where the calls have none. */
  readonly actsOn?: (token: TokenAtHand) => readonly TokenAct[];
}) {
  const { applicationId, origins, lob, products, asked, steps, isOver, onStep, actsOn } = props;
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
  const run = async (act: () => Promise<LessonStep>) => {
    if (busy) return;
    setBusy(true);
    awaited.current = steps.length;
    const step = await act();
    onStep(step);
    setBusy(false);
    announce(`Response ${step.exchange.answer?.status ?? 'missing'}.`);
  };
  const call = ({ change, ...wanted }: ChangedCall) => {
    if (token === undefined) return;
    const request = workbenchCall(origins, lob, wanted, token, change);
    void run(async () => {
      if (isVolley(change)) return await throttledStep(request);
      const exchange = await sendOnce(request);
      const lesson =
        exchange.isRedirect === true
          ? 'The file is there, and the call may download it.'
          : explained(exchange.answer?.status, change);
      return { exchange, lesson };
    });
  };
  const follow = (url: string) => {
    const place = placeOf(origins, lob, url);
    if (place !== undefined) call({ ...place, method: 'GET', change: 'none' });
  };
  const poll = (url: string) => {
    const place = placeOf(origins, lob, url);
    if (place === undefined || token === undefined) return;
    const request = workbenchCall(origins, lob, { ...place, method: 'GET' }, token);
    announce('The status of the job is asked until it is complete.');
    void run(async () => {
      const { exchange, requests } = await pollJob(request, (seconds) => waitFor(seconds * 1000));
      const times = requests === 1 ? 'one request' : `${requests} requests`;
      return {
        exchange,
        lesson:
          exchange.answer?.status === 200
            ? `The job is complete after ${times} of its status. Each \`url\` is a file, and a link.`
            : `${explained(exchange.answer?.status, 'none')} This was the last of ${times}.`,
      };
    });
  };
  const acts = token === undefined ? [] : (actsOn?.(token) ?? []);
  return (
    <>
      <ol class="exchanges" ref={list}>
        {steps.map((step, index) => (
          <StepView
            key={index}
            {...{ step, applicationId }}
            number={index + 1}
            {...(token !== undefined && {
              follow: { base: baseOf(origins, lob, step.exchange.call.url), onAddress: follow },
              onPoll: poll,
            })}
          />
        ))}
      </ol>
      {acts.length > 0 && (
        <section class="panel" aria-labelledby="token-acts">
          <h2 id="token-acts">Change the token</h2>
          <p>The token stays in this page. When you reload the page, the calls stay without their secrets.</p>
          <div class="form__actions">
            {acts.map(({ name, run: act }) => (
              <ActButton key={name} quiet pending={busy} onAct={() => void run(act)}>
                {name}
              </ActButton>
            ))}
          </div>
        </section>
      )}
      {token !== undefined && (
        <WorkbenchForm
          // Clears the choice, because another line of business may offer other interfaces.
          key={lob}
          {...{ lob, products, busy }}
          asked={asked !== undefined && products.includes(asked.product) ? asked : undefined}
          ids={idsAtHand(steps, token.patient)}
          onCall={call}
          onChange={keepCall}
        />
      )}
    </>
  );
}
