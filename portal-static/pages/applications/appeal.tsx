import type { ApplicationView } from '../../../lambdas/portal/api/views.ts';
import { call } from '../../api/portal-client.ts';
import { Form } from '../../components/form.tsx';
import { TextArea } from '../../components/text-area.tsx';
import { applicationSchemas } from '../../forms/schemas.ts';
import { useForm } from '../../forms/use-form.ts';

/** Form for an appeal against a rejection; each rejection can be appealed once. */
export function Appeal(props: {
  readonly view: ApplicationView;
  readonly onAppealed: (view: ApplicationView) => void;
}) {
  const { applicationId, version } = props.view;
  const form = useForm({
    schema: async () => (await applicationSchemas()).appealRequest,
    request: (values) => ({ version, words: values.words ?? '' }),
    draft: `appeal-${applicationId}`,
    send: (body) => call('POST /api/applications/{applicationId}/appeal', { path: { applicationId }, body }),
    done: props.onAppealed,
  });
  return (
    <details class="appeal">
      <summary>Appeal the decision</summary>
      <Form form={form} action="Send appeal">
        <TextArea
          form={form}
          name="words"
          label="Why should we review the decision?"
          hint="Describe what the operator missed. You can appeal each rejection once. You can always correct the application and submit it again."
        />
      </Form>
    </details>
  );
}
