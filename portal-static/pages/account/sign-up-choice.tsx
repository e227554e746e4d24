/** Page where a visitor chooses which kind of account to sign up for. */

import { Page } from '../../app/page.tsx';

export default function SignUpChoice() {
  return (
    <Page
      title="Sign up"
      width="wide"
      lead="Choose your developer type. The type determines what information we ask for. All types use the same interfaces."
    >
      <ul class="cards">
        <li class="card">
          <h2>
            <a href="/sign-up/individual">Individual developer</a>
          </h2>
          <p>You build applications on your own or for a company.</p>
          <p class="card__foot">You need an e-mail address and a US mobile phone. Takes about two minutes.</p>
        </li>
        <li class="card">
          <h2>
            <a href="/sign-up/payer">Developer from a payer entity</a>
          </h2>
          <p>You work for a health plan or another payer.</p>
          <p class="card__foot">
            You need your company’s address and two contacts. Takes about five minutes. An operator then
            verifies your company.
          </p>
        </li>
        <li class="card">
          <h2>
            <a href="/sign-up/brokerage">Developer from a brokerage entity</a>
          </h2>
          <p>You work for a broker or an agency.</p>
          <p class="card__foot">
            You need the same information as a payer, and your employer identification number. An operator
            then verifies your company.
          </p>
        </li>
      </ul>
      <ul class="page__links">
        <li>
          <a href="/sign-up/classic">Use the older sign-up form</a>, which asks for your role and a contact
          phone
        </li>
        <li>
          Already have an account? <a href="/sign-in">Sign in</a>
        </li>
      </ul>
    </Page>
  );
}
