/** Form that rotates a client's secret or key: creates the new one and sets how long the old one stays valid. */

import { useRef, useState } from 'preact/hooks';
import type { Environment } from '../../../lambdas/catalog/environments.ts';
import type { ApplicationView, RotationView } from '../../../lambdas/portal/api/views.ts';
import { call } from '../../api/portal-client.ts';
import { Alert } from '../../components/alert.tsx';
import { RadioGroup } from '../../components/choices.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Time } from '../../components/display.tsx';
import { Form } from '../../components/form.tsx';
import { applicationSchemas } from '../../forms/schemas.ts';
import { useForm } from '../../forms/use-form.ts';
import { credentialWords, overlaps } from './credentials-model.ts';

/**
 * Creates a new secret or key, and sets how long the old one stays valid. At most two are valid at a time: if there are two, the older one
 * must be stopped first.
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
  // Repeats of one submission have the same request ID, so that a lost response does not lead to a second secret.
  const requestId = useRef(crypto.randomUUID());
  const [made, setMade] = useState<RotationView>();
  const [confirming, setConfirming] = useState(false);
  const form = useForm({
    schema: async () => (await applicationSchemas()).rotationRequest,
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
      // The five minutes for showing secrets are over, so the page is loaded again and asks for the password.
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
      <Alert kind="success" title={`New ${thing} created`} focus>
        <p>
          It is the first one above.{' '}
          {made.previousExpiresAt === undefined || props.live < 2 ? (
            'The old one stops within 30 seconds.'
          ) : (
            <>
              The old one is valid until <Time at={made.previousExpiresAt} />.
            </>
          )}
        </p>
      </Alert>
    );
  }
  if (props.live > 1) {
    return (
      <p>
        Two are active, which is the maximum. To create another one, stop the older one or wait until it ends.
      </p>
    );
  }
  return (
    <details class="rotate">
      <summary>Rotate the {thing}</summary>
      <p>
        You get a new {thing}. The old one stays valid for the time you choose, so that calls keep working
        while you switch. Two can be active at the same time.
      </p>
      <Form
        form={form}
        action={`Create new ${thing}`}
        onSubmit={(event) => {
          event.preventDefault();
          if (form.values.overlapSeconds === '0') setConfirming(true);
          else void form.submit();
        }}
      >
        <RadioGroup
          form={form}
          name="overlapSeconds"
          label="Stop the old one after"
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
          action={`Replace ${short} now`}
          onConfirm={() => {
            setConfirming(false);
            void form.submit();
          }}
          onCancel={() => setConfirming(false)}
        >
          <p>
            The current one stops within 30 seconds. {fails} until you use the new one everywhere. To avoid
            refused calls, cancel and choose a later time for the old one.
          </p>
        </Confirm>
      )}
    </details>
  );
}
