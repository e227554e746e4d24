import type { MessageText, Strings } from './strings.ts';

const backToApp = 'Go back to the app and start again.';
const tellDeveloper =
  'Nothing was shared. Please tell the people who make the app. They can find out what is wrong.';

const brokenLink: MessageText = { title: 'This link does not work', advice: tellDeveloper };

export const englishMessages: Strings['messages'] = {
  client_id_missing: brokenLink,
  client_unknown: { title: 'We do not know this app', advice: tellDeveloper },
  client_inactive: {
    title: 'This app cannot be used right now',
    advice: 'It is not allowed to ask for your data at the moment. Nothing was shared.',
  },
  redirect_uri_missing: brokenLink,
  redirect_uri_unregistered: {
    title: 'We stopped to keep your data safe',
    advice: `The link would have sent you to an address that is not known to be the app’s own. ${tellDeveloper}`,
  },
  interaction_unknown: {
    title: 'We cannot find your sign-in',
    advice: `It may have been open for too long, or your browser does not allow cookies. ${backToApp}`,
  },
  interaction_expired: {
    title: 'Your time to sign in is over',
    advice: `Nothing was shared. ${backToApp}`,
  },
  interaction_answered: {
    title: 'You have already answered',
    advice: `To change your answer: ${backToApp}`,
  },
  form_foreign: {
    title: 'We could not accept this form',
    advice: `It did not come from our page. ${backToApp}`,
  },
  answer_missing: { title: 'We did not get your answer', advice: backToApp },
  form_malformed: { title: 'We could not read this form', advice: backToApp },
  line_of_business_unknown: { title: 'We do not know this plan', advice: tellDeveloper },
  page_unknown: { title: 'There is no such page', advice: backToApp },
  method_not_allowed: { title: 'This page cannot be used like that', advice: backToApp },
  too_many_codes: {
    title: 'We have sent too many codes',
    advice: 'For your safety we send no more for now. Please try again in an hour.',
  },
  too_many_code_tries: {
    title: 'There were too many tries',
    advice: 'For your safety we take no more codes for now. Please sign in again in an hour.',
  },
  code_unsendable: {
    title: 'We could not send you a code',
    advice: 'Please try again in a minute. If it goes on, call the number on your member card.',
  },
  signed_out: {
    title: 'You are signed out',
    advice: 'You can close this page. Apps you share with keep their access until you stop them.',
  },
  still_signed_in: { title: 'You are still signed in', advice: 'You can close this page.' },
  logout_uri_unregistered: {
    title: 'We stopped to keep you safe',
    advice:
      'The link would have sent you to an address that is not known to be the app’s own. You have not been signed out.',
  },
  logout_request_malformed: {
    title: 'This link does not work',
    advice: 'You have not been signed out. Please tell the people who make the app.',
  },
  session_over: {
    title: 'You have been signed out',
    advice: 'You were signed in for 15 minutes. Open the page again to sign in.',
  },
  defect: { title: 'Something went wrong on our side', advice: `Nothing was shared. ${backToApp}` },
  unavailable: {
    title: 'We are very busy right now',
    advice: 'Please wait a moment, then load this page again.',
  },
};
