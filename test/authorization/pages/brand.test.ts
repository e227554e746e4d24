import { createHash } from 'node:crypto';
import { html } from 'hono/html';
import { describe, expect, it } from 'vitest';
import { layout } from '../../../lambdas/authorization/pages/layout.ts';
import { pageHeaders } from '../../../lambdas/authorization/pages/page-headers.ts';
import { pageStyle } from '../../../lambdas/authorization/pages/style.ts';
import type { PlanBrand } from '../../../lambdas/catalog/plan-brand.ts';
import { doctorPage } from '../../../lambdas/portal/find-a-doctor/doctor-page.ts';
import { readDoctorQuery } from '../../../lambdas/portal/find-a-doctor/doctor-query.ts';
import { colorRules } from '../../../portal-static/build/plugins.ts';

const brand: PlanBrand = {
  name: 'Example <Health> Plan',
  colors: {
    light: { action: '#5b2a86', onAction: '#ffffff' },
    dark: { action: '#d4b3f0', onAction: '#241033' },
  },
  logo: { type: 'image/svg+xml', base64: 'PHN2Zy8+', width: 120, height: 40 },
};
const page = { language: 'en', title: 'Sign in', main: html`<h1>Sign in</h1>` } as const;
const logo =
  '<img src="data:image/svg+xml;base64,PHN2Zy8+" alt="Example &lt;Health&gt; Plan" width="120" height="40">';

describe('a member’s page', () => {
  it('has the plan’s logo, name and colors, and the line of business', () => {
    const text = layout({ ...page, lob: 'DSNP' }, brand);
    expect(text).toContain(`<p class="brand">${logo}</p>`);
    expect(text).toMatch(/<title>Sign in – .+ – Example &lt;Health&gt; Plan<\/title>/);
    expect(text).toContain(':root{--act:#5b2a86;--on-act:#ffffff}');
    expect(text).toContain('{:root{--act:#d4b3f0;--on-act:#241033}');
    expect(text).not.toContain('style=');
  });

  it('has the name as text where the plan has no logo, and once where no line of business is known', () => {
    const text = layout(page, { ...brand, logo: undefined });
    expect(text.split('<header>')[1]).toMatch(
      /^\n<p class="brand">Example &lt;Health&gt; Plan<\/p>\n<\/header>/,
    );
  });

  it('stays as it is without a brand', () => {
    expect(layout({ ...page, lob: 'DSNP' })).not.toContain('brand');
    expect(pageHeaders('sha', undefined)['Content-Security-Policy']).not.toContain('img-src');
  });

  it('allows by its policy the one style sheet it has, and images inside the page only for a logo', () => {
    const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(layout(page, brand)) ?? [];
    expect(style).toBe(pageStyle(brand));
    const sha256 = createHash('sha256').update(style).digest('base64');
    const policy = pageHeaders(sha256, undefined, true)['Content-Security-Policy'];
    expect(policy).toContain(`style-src 'sha256-${sha256}'; img-src data:;`);
  });
});

describe('Find a doctor', () => {
  const empty = { ...readDoctorQuery(new Map(), 'sandbox'), networks: [], languages: [] };

  it('has the plan’s logo and name', () => {
    const text = doctorPage(empty, '', brand);
    expect(text).toContain('alt="Example &lt;Health&gt; Plan"');
    expect(text).toContain('the provider directory of Example &lt;Health&gt; Plan.');
    expect(doctorPage(empty, '')).not.toContain('<img');
  });

  it('has the plan’s colors in the portal’s own style sheet', () => {
    expect(colorRules(brand)).toContain('.page--branded{--accent:#5b2a86');
    expect(colorRules(undefined)).toBe('');
  });
});
