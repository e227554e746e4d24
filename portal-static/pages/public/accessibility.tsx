/** Public page: accessibility statement. */

import { site } from '../../app/site.ts';

export function Accessibility() {
  return (
    <div class="page page--text prose">
      <h1>Accessibility</h1>
      <p class="page__lead">
        This portal is designed to meet the Web Content Accessibility Guidelines (WCAG) 2.2 at level AA.
      </p>
      <ul>
        <li>You can use every function with the keyboard, and the focus is always visible.</li>
        <li>The portal works with screen readers. Headings, labels, errors and changes are announced.</li>
        <li>The portal works at 400% zoom and in a window 320 pixels wide without horizontal scrolling.</li>
        <li>The portal follows your device’s settings for light or dark mode and reduced motion.</li>
        <li>The check that you are a person has no puzzle.</li>
        <li>The portal keeps what you typed when you correct errors or your session ends.</li>
      </ul>
      <h2>Report a problem</h2>
      <p>
        To report an accessibility problem, write to{' '}
        <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a>. Tell us the page and the browser or
        assistive technology you use. We help you complete your task and fix the page.
      </p>
    </div>
  );
}
