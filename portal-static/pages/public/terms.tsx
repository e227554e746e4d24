/** Public page: terms of use. */

import { termsOfUse } from '../../../lambdas/portal/catalog/agreements.ts';
import { AgreementText } from '../../components/agreement-text.tsx';

export function Terms() {
  return (
    <div class="page page--text prose">
      <h1>{termsOfUse.title}</h1>
      <AgreementText agreement={termsOfUse} />
    </div>
  );
}
