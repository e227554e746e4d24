import { Page } from '../../app/page.tsx';

export default function SignUpChoice() {
  return (
    <Page
      title="Sign up"
      width="wide"
      lead="Choose what fits you best. It decides what we ask for; the interfaces are the same."
    >
      <ul class="cards">
        <li class="card">
          <h2>
            <a href="/sign-up/individual">Individual developer</a>
          </h2>
          <p>You build applications, on your own or in a company.</p>
          <p class="card__foot">You need your e-mail and a US mobile phone. About two minutes.</p>
        </li>
        <li class="card">
          <h2>
            <a href="/sign-up/payer">Developer from a payer entity</a>
          </h2>
          <p>You work for a health plan or another payer.</p>
          <p class="card__foot">
            You need your company’s address and two contacts. About five minutes; then a person checks it.
          </p>
        </li>
        <li class="card">
          <h2>
            <a href="/sign-up/brokerage">Developer from a brokerage entity</a>
          </h2>
          <p>You work for a broker or an agency.</p>
          <p class="card__foot">
            As for a payer, and your employer identification number. Then a person checks it.
          </p>
        </li>
      </ul>
      <ul class="page__links">
        <li>
          <a href="/sign-up/classic">Use the older sign-up form</a>, with your role and a contact phone
        </li>
        <li>
          You have an account? <a href="/sign-in">Sign in</a>
        </li>
      </ul>
    </Page>
  );
}
