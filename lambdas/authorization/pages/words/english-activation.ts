/** English texts of the activation pages. */

import type { ActivationStrings } from './strings.ts';

const callPlan = 'Call the number on your member card. They can help you.';

export const englishActivation: ActivationStrings = {
  link: 'First time here, or forgot your password?',
  title: 'Set up your account',
  intro: (plan) =>
    `Enter these details as your ${plan} has them. If they match, we send you a code. Then you choose a password. Do this as well if you forgot your password.`,
  memberId: 'Member ID',
  memberIdHint: 'It is on your member card.',
  birthDate: 'Date of birth',
  birthDateHint: 'For example: 4 28 1986',
  month: 'Month',
  day: 'Day',
  year: 'Year',
  postalCode: 'ZIP code of your home',
  channel: 'How do you want to get the code?',
  byEmail: 'E-mail',
  sms: 'Text message',
  channelHint: 'If your plan has only one of the two, we use that one.',
  submit: 'Send the code',
  back: 'Go back to sign in',
  missing: {
    memberId: 'Enter your member ID',
    birthDate: 'Enter your date of birth as month, day and year',
    postalCode: 'Enter your ZIP code',
  },
  codeTitle: 'Enter the code we sent you',
  sent: 'If the details match what your plan has, we sent a code to the e-mail address or phone number it has for you. The code is valid for 10 minutes.',
  noCodeTitle: 'Didn’t get a code?',
  noCode: `Wait a minute, and check your details. Your plan may have no e-mail address or mobile number for you. ${callPlan}`,
  startAgain: 'Enter your details again',
  passwordTitle: 'Choose a password',
  passwordIntro:
    'Use at least 15 characters. A few words that you can remember are a good password. You can use spaces.',
  username: (memberId) => `You sign in with your member ID: ${memberId}`,
  password: 'New password',
  again: 'New password again',
  save: 'Save and continue',
  passwordErrors: {
    missing: 'Enter a new password',
    different: 'The two passwords are not the same. Enter both again.',
    password_short: 'Use at least 15 and at most 128 characters',
    password_known: 'This password is easy to guess. Choose another one, like a few words of your own.',
  },
  subject: (plan) => `Your code for ${plan}`,
  email: (code, plan) =>
    `${code} is your code to set a password for ${plan}.\n\nThe code is valid for 10 minutes. Do not share it with anyone. We never ask for it by phone or mail.\n\nIf you did not ask for it, ignore this message. Nothing changes.\n`,
  textMessage: (code, plan) =>
    `${code} is your code to set a password for ${plan}. The code is valid for 10 minutes. Do not share it with anyone.`,
  changedSubject: (plan) => `Your password for ${plan} was changed`,
  changed: (plan) =>
    `The password of your account for ${plan} was changed. If it was not you, call the number on your member card.`,
};
