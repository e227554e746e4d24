import type { ApplicationView } from '../../../lambdas/portal/api/views.ts';
import { Tag } from '../../components/display.tsx';
import { changeWords, stateWords } from './state-model.ts';

/** Tags with the state of an application and of its proposed change. */
export function StateTags({ view }: { readonly view: Pick<ApplicationView, 'state' | 'changeState'> }) {
  return (
    <>
      <Tag kind={stateWords[view.state].tone}>{stateWords[view.state].name}</Tag>{' '}
      {view.changeState !== 'none' && (
        <Tag kind={changeWords[view.changeState].tone}>{changeWords[view.changeState].name}</Tag>
      )}
    </>
  );
}
