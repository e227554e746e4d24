import { site } from '../../app/site.ts';

export function Accessibility() {
  return (
    <div class="page page--text prose">
      <h1>Accessibility</h1>
      <p class="page__lead">
        This portal is made to meet the Web Content Accessibility Guidelines (WCAG) 2.2 at level AA.
      </p>
      <ul>
        <li>Everything works by keyboard alone, and it shows where you are.</li>
        <li>It works with screen readers: headings, labels, errors and changes are announced.</li>
        <li>It works at 400 % zoom and in a window 320 pixels wide, without scrolling sideways.</li>
        <li>It follows your device’s light or dark setting, and your wish for less motion.</li>
        <li>The check that you are a person asks for no puzzle.</li>
        <li>Nothing you typed is lost when something has to be corrected or your session ends.</li>
      </ul>
      <h2>Tell us</h2>
      <p>
        If something does not work for you, write to{' '}
        <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a>. Say which page it was and what you
        use. We will help you with what you came for, and mend the page.
      </p>
    </div>
  );
}
