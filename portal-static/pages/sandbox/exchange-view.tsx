import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Tag } from '../../components/display.tsx';
import type { Follow } from '../../components/json-view.tsx';
import { Later } from '../../components/later-part.tsx';
import { CopyButton } from '../../components/secret.tsx';
import { Marked } from '../applications/parts.tsx';
import { readAssertion } from './assertion-text.ts';
import { CodeBlock } from './code-block.tsx';
import { answerHeader, type Exchange, formatted, jsonOf } from './exchange.ts';
import { bodyFields, requestBodyText } from './http-call.ts';
import type { LessonStep } from './lesson.ts';
import { maskSecrets, secretsOf, withNames } from './secrets-model.ts';

/** Shows a request, its response and an explanation, with the call as code below. */
export function StepView(props: {
  readonly step: LessonStep;
  readonly number: number;
  /** The application that made the call, whose log has a line of it. */
  readonly applicationId: string;
  /** Receiver of references in the response; absent where no token is at hand. */
  readonly follow?: Follow;
  /** Asks for the status of the job that the response began; absent where no token is at hand. */
  readonly onPoll?: (url: string) => void;
}) {
  const { exchange, lesson, kept } = props.step;
  const { call, answer } = exchange;
  const requestId = answerHeader(exchange, 'x-request-id');
  const job = answer?.status === 202 ? answerHeader(exchange, 'content-location') : undefined;
  const { onPoll } = props;
  return (
    <li class="exchange">
      <h2 tabIndex={-1}>
        {props.number}. {call.title}{' '}
        <Tag kind={isBad(exchange) ? 'bad' : 'good'}>
          {answer?.status ?? (exchange.isRedirect === true ? 'Redirect' : 'No response')}
        </Tag>
      </h2>
      <p>
        <Marked text={lesson} />
      </p>
      {answer !== undefined && answer.status >= 400 && (
        <Later load={() => import('./error-link.tsx')} words="Loading the explanation…">
          {({ ErrorLink }) => <ErrorLink exchange={exchange} />}
        </Later>
      )}
      {job !== undefined && onPoll !== undefined && (
        <p>
          <button type="button" class="usa-button usa-button--outline" onClick={() => onPoll(job)}>
            Ask until the job is complete
          </button>
        </p>
      )}
      <div class="exchange__sides">
        <Request exchange={exchange} number={props.number} />
        <Answer exchange={exchange} number={props.number} follow={props.follow} />
      </div>
      <Assertion text={bodyFields(call).client_assertion} number={props.number} />
      {requestId !== undefined && (
        <Unfolded summary="Line in the call log" of={call.title}>
          <Later load={() => import('./log-line.tsx')} words="Reading the call log…">
            {({ LogLine }) => <LogLine {...{ requestId }} applicationId={props.applicationId} />}
          </Later>
        </Unfolded>
      )}
      <Unfolded summary="This call as code" of={call.title}>
        <Later load={() => import('./exchange-parts.tsx')} words="Loading the code…">
          {({ Sample }) => (
            <Sample
              call={kept === true ? withNames(call) : call}
              number={props.number}
              isPublic={kept === true}
            />
          )}
        </Later>
      </Unfolded>
    </li>
  );
}

function isBad({ answer, isRedirect }: Exchange): boolean {
  return answer === undefined ? isRedirect !== true : answer.status >= 400;
}

/** A part of an exchange that is rendered when it is unfolded first. */
function Unfolded(props: {
  readonly summary: string;
  /** The call that the part is about, for screen readers. */
  readonly of: string;
  readonly children: ComponentChildren;
}) {
  const [open, setOpen] = useState(false);
  return (
    <details class="samples" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {props.summary}
        <span class="usa-sr-only">: {props.of}</span>
      </summary>
      {open && props.children}
    </details>
  );
}

/** Shows the signed assertion in readable form. */
function Assertion(props: { readonly text: string | undefined; readonly number: number }) {
  const read = props.text === undefined ? undefined : readAssertion(props.text);
  if (read === undefined) return null;
  return (
    <details class="samples">
      <summary>Contents of the assertion</summary>
      <p>
        Your program creates a new assertion for each request. It works once, for the endpoint in{' '}
        <code>aud</code>, until <code>exp</code> (at most five minutes in the future).
      </p>
      <CodeBlock
        text={`${JSON.stringify(read.header, null, 2)}\n.\n${JSON.stringify(read.claims, null, 2)}`}
        label={`assertion of request ${props.number}`}
      />
    </details>
  );
}

interface Side {
  readonly exchange: Exchange;
  readonly number: number;
}

function Request({ exchange: { call }, number }: Side) {
  const body = requestBodyText(call);
  const lines = [
    `${call.method} ${call.url}`,
    ...Object.entries(call.headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['', formatted(body)]),
  ];
  return (
    <Message title="Request" what={`request ${number}`} text={lines.join('\n')} secrets={secretsOf(call)} />
  );
}

function Answer({ exchange, number, follow }: Side & { readonly follow: Follow | undefined }) {
  const { call, answer } = exchange;
  if (answer === undefined) {
    return (
      <div class="message">
        <h3>Response</h3>
        <p>
          {exchange.isRedirect === true
            ? 'The response is a redirect to the signed address of the file, valid for a minute. This page may not read that host. “This call as code” downloads the file: in curl, it follows the redirect without the token.'
            : 'There was no response. The network failed, or the host does not allow browsers to read the response.'}
        </p>
      </div>
    );
  }
  const lines = [`HTTP ${answer.status}`, ...answer.headers.map(([name, value]) => `${name}: ${value}`)];
  return (
    <Message
      title={`Response after ${answer.milliseconds} ms`}
      what={`answer ${number}`}
      text={lines.join('\n')}
      body={answer.text}
      follow={follow}
      secrets={secretsOf(call, jsonOf(exchange))}
    />
  );
}

function Message(props: {
  readonly title: string;
  readonly what: string;
  readonly text: string;
  /** Body of a response, which is shown apart. */
  readonly body?: string;
  readonly follow?: Follow | undefined;
  readonly secrets: readonly string[];
}) {
  const { body } = props;
  const whole = body === undefined ? props.text : `${props.text}\n\n${formatted(body)}`;
  const hidden = maskSecrets(whole, props.secrets);
  const [shown, setShown] = useState(false);
  const masked = (text: string) => (shown ? text : maskSecrets(text, props.secrets));
  return (
    <div class="message">
      <div class="message__head">
        <h3>{props.title}</h3>
        {hidden !== whole && (
          <button
            type="button"
            class="usa-button usa-button--outline button--small"
            onClick={() => setShown(!shown)}
          >
            {shown ? 'Hide' : 'Show'} secrets<span class="usa-sr-only"> of {props.what}</span>
          </button>
        )}
        <CopyButton value={whole} what={props.what} />
      </div>
      <CodeBlock
        text={masked(props.text)}
        label={body === undefined ? props.what : `headers of ${props.what}`}
      />
      {body !== undefined && body !== '' && (
        <Later load={() => import('./exchange-parts.tsx')} words="Loading the response…">
          {({ JsonView }) => <JsonView text={masked(body)} label={props.what} follow={props.follow} />}
        </Later>
      )}
    </div>
  );
}
