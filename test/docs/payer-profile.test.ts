import { describe, expect, it } from 'vitest';
import { fhirRoutes } from '../../lambdas/catalog/fhir/fhir-routes.ts';
import { payerConsentRules } from '../../lambdas/catalog/payer/payer-consent-rules.ts';
import { payerReleaseRules } from '../../lambdas/catalog/payer/payer-release-rules.ts';
import { consentChecks } from '../../lambdas/payer-access/permission/judge-consent.ts';
import { releaseChecks } from '../../lambdas/payer-access/release/withholding-rule.ts';
import { documentationPage } from '../../portal-static/build/documents/documentation.ts';
import { service } from './documents.ts';

describe('the profile of Payer Access', () => {
  it('has a text for each rule that is enforced, in its order', () => {
    expect(Object.keys(payerReleaseRules)).toEqual(releaseChecks.map(({ name }) => name));
    expect(Object.keys(payerConsentRules)).toEqual(consentChecks.map(({ name }) => name));
  });

  it('has each route on its page, the searches of types in one row for each method', () => {
    const shown = documentationPage('payer-access', service).html.replace(/<\/?code>/g, '');
    for (const { method, path, operation } of fhirRoutes.filter(
      (each) => each.interface === 'payer-access',
    )) {
      const isOfType = operation.endsWith('.search-type') && operation !== 'Group.search-type';
      const row = isOfType ? path.replace(/\/v1\/\w+/, '/v1/{type}') : path;
      expect(shown).toContain(`${method} ${row}`);
      if (isOfType) expect(shown).toMatch(new RegExp(`\\b${operation.split('.')[0]}\\b`));
    }
  });

  it('has the texts of all rules on its page', () => {
    const shown = documentationPage('payer-access', service).html.replace(/<\/?code>/g, '');
    for (const text of [...Object.values(payerReleaseRules), ...Object.values(payerConsentRules)]) {
      expect(shown).toContain(text.replaceAll('`', ''));
    }
  });
});
