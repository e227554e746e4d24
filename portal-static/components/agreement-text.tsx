/** Sections of an agreement, such as the terms of use, as text. */

import type { Agreement } from '../../lambdas/portal/catalog/agreements.ts';

export function AgreementText(props: { readonly agreement: Agreement }) {
  return (
    <>
      {props.agreement.sections.map((section) => (
        <section key={section.heading}>
          <h2>{section.heading}</h2>
          {section.paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </section>
      ))}
      <p class="agreement__version">Version of {props.agreement.version}</p>
    </>
  );
}
