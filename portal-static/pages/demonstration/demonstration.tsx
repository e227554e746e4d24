/** The live sandbox after a press: sends the call and shows request and response. Loaded by `start-demonstration.ts`. */

import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type EnvironmentOrigins, fhirBase } from '../../../lambdas/catalog/addresses.ts';
import type { Interface } from '../../../lambdas/catalog/interface-families.ts';
import { demonstration } from '../../../lambdas/catalog/oauth/demonstration.ts';
import { Announcer, useAnnounce } from '../../app/announcer.tsx';
import { Alert } from '../../components/alert.tsx';
import { Tag } from '../../components/display.tsx';
import { JsonView } from '../../components/json-view.tsx';
import { Progress } from '../../components/progress.tsx';
import { type Exchange, jsonOf, sendOnce } from '../sandbox/exchange.ts';
import type { HttpCall } from '../sandbox/http-call.ts';
import { Sample } from '../sandbox/samples.tsx';
import {
  demonstrationCall,
  demonstrationTokenCall,
  type ExampleName,
  exampleCall,
  examples,
  failureWords,
} from './demonstration-calls.ts';

let turn = 0;

/** Sends the call of an example, and shows it in the page's live sandbox. */
export function showExample(section: HTMLElement, example: ExampleName): void {
  const place = section.querySelector('.live__place');
  const { auth = '', token = '', api = '' } = section.dataset;
  if (place === null) return;
  // The requests that the page came with.
  if (turn === 0) place.textContent = '';
  turn += 1;
  const origins = { auth, token, apiTemplate: api };
  render(
    <Announcer>
      <Demonstration
        origins={origins}
        product={examples[example].product}
        request={(token) => exampleCall(origins, example, token)}
        turn={turn}
      />
    </Announcer>,
    place,
  );
}

/** The token of the demonstration's member. */
interface Token {
  readonly accessToken: string;
  readonly patient: string;
  readonly exchange: Exchange;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

let kept: Promise<Token | Exchange> | undefined;

/**
 * Returns the page's token if it is valid for ten more seconds, otherwise a new one.
 *
 * @returns only the exchange if the token request was refused.
 */
async function tokenOf(origins: EnvironmentOrigins): Promise<Token | Exchange> {
  const known = await kept;
  if (known !== undefined && 'accessToken' in known && known.expiresAt - Date.now() > 10_000) return known;
  kept = sendOnce(demonstrationTokenCall(origins)).then((exchange) => {
    const { access_token: accessToken, patient, expires_in: seconds } = jsonOf(exchange);
    if (typeof accessToken !== 'string' || typeof patient !== 'string') return exchange;
    return { accessToken, patient, exchange, expiresAt: Date.now() + Number(seconds) * 1000 };
  });
  return await kept;
}

interface Shown {
  readonly exchange: Exchange;
  readonly token?: Exchange;
}

/** Sends a call with a token of the demonstration, and shows request and response. */
export function Demonstration(props: {
  readonly origins: EnvironmentOrigins;
  readonly product: Interface;
  /** Makes the call. */
  readonly request: (token: Pick<Token, 'accessToken' | 'patient'>) => HttpCall;
  /** A higher number sends the call again. */
  readonly turn: number;
}) {
  const { origins, product, request } = props;
  const [shown, setShown] = useState<Shown>();
  const [busy, setBusy] = useState(true);
  const latest = useRef(0);
  const heading = useRef<HTMLHeadingElement>(null);
  const announce = useAnnounce();
  const base = fhirBase(origins, demonstration.lineOfBusiness, product);

  /** Sends a call, of the example or of a link in its response. A response is dropped if another call was sent meanwhile. */
  const run = async (url?: string) => {
    latest.current += 1;
    const mine = latest.current;
    setBusy(true);
    const token = await tokenOf(origins);
    const result = 'accessToken' in token ? await read(token, url) : { exchange: token };
    if (mine !== latest.current) return;
    setShown(result);
    setBusy(false);
    const { status, milliseconds } = result.exchange.answer ?? {};
    announce(
      status === undefined ? 'No response.' : `Response ${status} after ${milliseconds} milliseconds.`,
    );
    // Moves the focus, because the pressed link disappeared with the previous response.
    if (url !== undefined) heading.current?.focus();
  };
  const read = async (token: Token, url?: string): Promise<Shown> => {
    const call =
      url === undefined
        ? request(token)
        : demonstrationCall(`Read ${url.slice(base.length + 1)}`, url, product, token.accessToken);
    return { exchange: await sendOnce(call), token: token.exchange };
  };
  useEffect(() => void run(), [props.turn]);

  return (
    <>
      {busy && <Progress words="Waiting for the response…" />}
      {shown !== undefined && (
        <Answer shown={shown} heading={heading} base={base} onAddress={(url) => void run(url)} />
      )}
    </>
  );
}

function Answer(props: {
  readonly shown: Shown;
  readonly heading: { readonly current: HTMLHeadingElement | null };
  readonly base: string;
  readonly onAddress: (url: string) => void;
}) {
  const { exchange, token } = props.shown;
  const { call, answer } = exchange;
  const words = failureWords(answer?.status, answer?.headers.find(([name]) => name === 'retry-after')?.[1]);
  return (
    <>
      <h3 class="live__title" ref={props.heading} tabIndex={-1}>
        {call.title}{' '}
        <Tag kind={answer === undefined || answer.status >= 400 ? 'bad' : 'good'}>
          {answer === undefined ? 'No response' : answer.status}
        </Tag>
        {answer !== undefined && <span class="live__time"> after {answer.milliseconds} ms</span>}
      </h3>
      {words !== undefined && (
        <Alert kind="warning">
          <p>{words}</p>
        </Alert>
      )}
      <div class="exchange__sides">
        <div class="message">
          <h4>Request</h4>
          <Sample call={call} number={2} isPublic />
        </div>
        <div class="message">
          <h4>Response</h4>
          {answer === undefined ? (
            <p>There was no response.</p>
          ) : (
            <JsonView
              text={answer.text}
              label="response"
              follow={{ base: props.base, onAddress: props.onAddress }}
            />
          )}
        </div>
      </div>
      {token !== undefined && (
        <details class="samples">
          <summary>The token of this call</summary>
          <p>
            The demonstration gets a token without a sign-in, because its member is fictional. Your
            application gets one after a member has signed in and consented.
          </p>
          <div class="exchange__sides">
            <Sample call={token.call} number={1} isPublic />
            <JsonView text={token.answer?.text ?? ''} label="response with the token" />
          </div>
        </details>
      )}
    </>
  );
}
