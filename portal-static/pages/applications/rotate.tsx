import { useRef, useState } from 'preact/hooks';
import type { Environment } from '../../../lambdas/catalog/environments.ts';
import { rotationRequest } from '../../../lambdas/portal/api/applications.ts';
import type { ApplicationView, RotationView } from '../../../lambdas/portal/api/views.ts';
import { call } from '../../api/client.ts';
import { Alert } from '../../components/alert.tsx';
import { RadioGroup } from '../../components/choices.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Time } from '../../components/display.tsx';
import { Form } from '../../components/form.tsx';
import { useForm } from '../../forms/use-form.ts';
import { credentialWords, overlaps } from './credentials-model.ts';

/**
 * Makes a new secret or key beside the present one, which works on for as long as it is chosen here. Two are live at most: while there
 * are two, the older one is to be stopped first.
 */
export function Rotate(props: {
  readonly what: keyof typeof credentialWords;
  readonly live: number;
  readonly environment: Environment;
  readonly application: ApplicationView;
  readonly reload: () => Promise<void>;
}) {
  const { what, environment, application } = props;
  const { thing, short, rotate, fails } = credentialWords[what];
  // The same through repeats of one try, so that a lost answer makes no second secret.
  const requestId = useRef(crypto.randomUUID());
  const [made, setMade] = useState<RotationView>();
  const [confirming, setConfirming] = useState(false);
  const form = useForm({
    schema: () => Promise.resolve(rotationRequest),
    initial: { overlapSeconds: '86400' },
    request: (values) => ({ requestId: requestId.current, overlapSeconds: Number(values.overlapSeconds) }),
    send: async (body) => {
      const outcome = await call(
        `POST /api/applications/{applicationId}/credentials/{environment}/${rotate}`,
        {
          path: { applicationId: application.applicationId, environment },
          body,
        },
      );
      // The five minutes are over: the page asks for the password again.
      if (!outcome.ok && outcome.problem.code === 'password_needed') void props.reload();
      return outcome;
    },
    done: async (rotation) => {
      requestId.current = crypto.randomUUID();
      await props.reload();
      setMade(rotation);
    },
  });
  if (made !== undefined) {
    return (
      <Alert kind="success" title={`There is a new ${thing}`} focus>
        <p>
          It is the newest one above.{' '}
          {made.previousExpiresAt === undefined || props.live < 2 ? (
            'The old one has stopped.'
          ) : (
            <>
              The old one works until <Time at={made.previousExpiresAt} />.
            </>
          )}
        </p>
      </Alert>
    );
  }
  if (props.live > 1) {
    return (
      <p>
        Two are live, which is the most there can be. To make another one, stop the older one, or wait until
        it ends.
      </p>
    );
  }
  return (
    <details class="rotate">
      <summary>Rotate the {thing}</summary>
      <p>
        You get a new {thing}. The old one works on for the time you choose, so that no call is lost while you
        change over. Two can be live at once.
      </p>
      <Form
        form={form}
        action={`Make a new ${thing}`}
        onSubmit={(event) => {
          event.preventDefault();
          if (form.values.overlapSeconds === '0') setConfirming(true);
          else void form.submit();
        }}
      >
        <RadioGroup
          form={form}
          name="overlapSeconds"
          label="The old one stops after"
          choices={overlaps.map(({ seconds, label, explanation }) => ({
            value: String(seconds),
            label,
            hint: explanation,
          }))}
        />
      </Form>
      {confirming && (
        <Confirm
          title={`Replace the ${environment} ${thing} now?`}
          action={`Replace the ${short} now`}
          onConfirm={() => {
            setConfirming(false);
            void form.submit();
          }}
          onCancel={() => setConfirming(false)}
        >
          <p>
            The present one stops at once. {fails} until the new one is everywhere you use it. To lose no
            call, cancel and let the old one work on for a time.
          </p>
        </Confirm>
      )}
    </details>
  );
}
