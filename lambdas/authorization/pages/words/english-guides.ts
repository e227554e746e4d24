/** Guides for members, in English. */

import type { Strings } from './strings.ts';

/** The guides that a plan must give its members (42 CFR 422.119(g), 431.60(f) and 45 CFR 156.221(g)). */
export const englishGuides: Strings['guides'] = {
  'choosing-an-app': {
    title: 'How to choose a health app',
    intro:
      'You can share your plan data with an app you choose. The app is not part of your plan. We do not choose apps for you or check what they do with your data. Read this page before you share.',
    sections: [
      {
        heading: 'Questions to ask before you share',
        points: [
          'What data will the app take? Is it more than it needs?',
          'Will it take other things from your phone, like where you are?',
          'Will it sell your data, or use it for ads?',
          'Who else gets to see your data, and why?',
          'How does the app keep your data safe?',
          'Can you stop sharing and have your data deleted?',
          'Who can help you if something goes wrong?',
          'Will the app tell you when its rules change?',
        ],
      },
      {
        heading: 'Where to find the answers',
        text: 'Read the privacy policy of the app. It should be short and clear. If you cannot find it, or do not understand it, choose another app.',
      },
      {
        heading: 'If more people are on your plan',
        text: 'Your data may include information about your family. Talk with them first. A teenager may have the right to keep some care private.',
      },
      {
        heading: 'You can stop sharing',
        text: 'Open “Apps and plans you share with” and stop any app there. The app can no longer get data from us. It may keep the data it already has. Ask the app to delete it.',
      },
    ],
  },
  'privacy-laws': {
    title: 'Laws that protect your data',
    intro:
      'The law that protects your health data depends on who holds the data. One law applies to your plan. Other laws apply to most apps.',
    sections: [
      {
        heading: 'Your plan and your doctors: HIPAA',
        text: 'HIPAA is a federal law. Your health plan, your doctors and your hospital must follow it. So must the companies that work for them. They may use your data to care for you, to pay bills and to run the plan. For most other uses they must ask you first.',
      },
      {
        heading: 'Most apps: the FTC Act',
        text: 'Most apps do not have to follow HIPAA. The Federal Trade Commission (FTC) oversees them. An app must do what its privacy policy says. If it shares your data when it said it would not, it may break the law. If your data is stolen or leaked, the app may have to tell you.',
      },
      {
        heading: 'When HIPAA applies to an app',
        text: 'HIPAA applies only when the app works for your plan or your doctor. If you are not sure, ask the people who make the app.',
      },
      {
        heading: 'Read more',
        links: [
          {
            text: 'HHS: your rights under HIPAA',
            uri: 'https://www.hhs.gov/hipaa/for-individuals/index.html',
          },
          {
            text: 'FTC: privacy and apps',
            uri: 'https://consumer.ftc.gov/articles/how-protect-your-privacy-apps',
          },
        ],
      },
    ],
  },
  complaints: {
    title: 'File a complaint',
    intro:
      'You can file a complaint if you think someone misused your health data. It is against the law to punish you for a complaint.',
    sections: [
      {
        heading: 'About your health plan or your doctor',
        text: 'Call your plan first: the number is on the back of your member card. You can also write to the Office for Civil Rights (OCR). OCR is part of the U.S. Department of Health and Human Services (HHS). File within 180 days of the day you found out.',
        links: [
          {
            text: 'File a complaint with OCR',
            uri: 'https://www.hhs.gov/hipaa/filing-a-complaint/index.html',
          },
        ],
      },
      {
        heading: 'About an app',
        text: 'Contact the people who make the app first. Then report the app to the Federal Trade Commission (FTC). The FTC cannot resolve every case. It uses reports to stop companies that break the law.',
        links: [{ text: 'Report to the FTC', uri: 'https://reportfraud.ftc.gov/' }],
      },
      {
        heading: 'Stop the app first',
        text: 'If you no longer trust an app, stop it under “Apps and plans you share with”. Change your password if you gave it to the app.',
      },
    ],
  },
};
