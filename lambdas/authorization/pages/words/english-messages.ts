/** English texts of the message pages: errors, refusals and results. */

import type { MessageText, Strings } from './strings.ts';

const backToApp = 'Go back to the app and start again.';
const tellDeveloper = 'Nothing was shared. Contact the people who make the app. They can fix the problem.';

const brokenLink: MessageText = { title: 'This link does not work', advice: tellDeveloper };

export const englishMessages: Strings['messages'] = {
  client_id_missing: brokenLink,
  client_unknown: { title: 'This app is not registered', advice: tellDeveloper },
  client_inactive: {
    title: 'This app cannot be used right now',
    advice: 'The app is not allowed to ask for your data at the moment. Nothing was shared.',
  },
  redirect_uri_missing: brokenLink,
  redirect_uri_unregistered: {
    title: 'We stopped to keep your data safe',
    advice: `The link leads to a web address that the app has not registered with us. ${tellDeveloper}`,
  },
  interaction_unknown: {
    title: 'We cannot find your sign-in',
    advice: `You may have already answered, your sign-in may have expired, or your browser may block cookies. ${backToApp}`,
  },
  interaction_expired: {
    title: 'Your sign-in has expired',
    advice: `Nothing was shared. ${backToApp}`,
  },
  interaction_answered: {
    title: 'You already answered',
    advice: 'To change your answer, go back to the app and start again.',
  },
  form_foreign: {
    title: 'We could not accept this form',
    advice: `The form was not sent from our page. ${backToApp}`,
  },
  answer_missing: { title: 'We did not get your answer', advice: backToApp },
  form_malformed: { title: 'We could not read this form', advice: backToApp },
  line_of_business_unknown: { title: 'Plan not found', advice: tellDeveloper },
  page_unknown: { title: 'Page not found', advice: backToApp },
  method_not_allowed: { title: 'This page cannot be opened this way', advice: backToApp },
  too_many_codes: {
    title: 'We sent too many codes',
    advice: 'To protect your account, we cannot send more codes for now. Try again in an hour.',
  },
  too_many_code_tries: {
    title: 'Too many incorrect codes',
    advice: 'To protect your account, we cannot accept more codes for now. Sign in again in an hour.',
  },
  code_unsendable: {
    title: 'We could not send you a code',
    advice: 'Try again in a minute. If the problem continues, call the number on your member card.',
  },
  activation_not_possible: {
    title: 'We cannot set up this account here',
    advice: 'Nothing was changed. Call the number on your member card. They can help you.',
  },
  signed_out: {
    title: 'You are signed out',
    advice: 'You can close this page. Apps you share with keep their access until you stop them.',
  },
  still_signed_in: { title: 'You are still signed in', advice: 'You can close this page.' },
  logout_uri_unregistered: {
    title: 'We stopped to keep you safe',
    advice:
      'The link leads to a web address that the app has not registered with us. We did not sign you out.',
  },
  logout_request_malformed: {
    title: 'This link does not work',
    advice: 'We did not sign you out. Contact the people who make the app.',
  },
  nothing_to_share: {
    title: 'We found no data that you can share',
    advice:
      'You are signed in, but we have no record in this plan that is yours or that you may share for another person. Check that you chose the right plan. If you are someone’s personal representative, call the number on the member ID card.',
  },
  session_over: {
    title: 'You have been signed out',
    advice: 'We sign you out after 15 minutes. Open the page again to sign in.',
  },
  defect: { title: 'Something went wrong', advice: `Nothing was shared. ${backToApp}` },
  unavailable: {
    title: 'We are very busy right now',
    advice: 'Wait a moment, then load this page again.',
  },
};
