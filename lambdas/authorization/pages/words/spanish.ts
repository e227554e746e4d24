/** Texts of members' pages, in Spanish. */

import { spanishActivation } from './spanish-activation.ts';
import { spanishConnectedApps } from './spanish-connected-apps.ts';
import { spanishGuides } from './spanish-guides.ts';
import { spanishMessages } from './spanish-messages.ts';
import { spanishOtherPlans } from './spanish-other-plans.ts';
import type { Strings } from './strings.ts';

/** Spanish as members in the United States read it; `usted` throughout. */
export const spanish: Strings = {
  language: 'es',
  languageName: 'Español',
  languageSwitch: 'Idioma',
  error: 'Problema',
  owner: 'Acceso para miembros',
  plans: {
    CHPDC: 'Plan de Salud Comunitario, Distrito (Medicaid)',
    CHPMD: 'Plan de Salud Comunitario, Estado (Medicaid)',
    DSNP: 'Plan Medicare Advantage de Necesidades Especiales con Doble Elegibilidad',
    MAPD: 'Plan Medicare Advantage',
    MHBE: 'Plan del Mercado Estatal de Seguros de Salud',
    EGWP: 'Plan de Grupo del Empleador',
  },
  help: 'Ayuda',
  links: {
    'connected-apps': 'Aplicaciones y planes con los que comparte',
    'choosing-an-app': 'Cómo elegir una aplicación',
    'privacy-laws': 'Leyes que protegen sus datos',
    complaints: 'Cómo presentar una queja',
  },
  signIn: {
    title: 'Inicie sesión en su plan de salud',
    intro: (application, plan) =>
      `${application} solicita ver los datos de su ${plan}. Inicie sesión para continuar. En la página siguiente, usted elige qué compartir.`,
    username: 'Número de miembro o correo electrónico',
    password: 'Contraseña',
    keep: (minutes) => `Mantener mi sesión abierta en este navegador durante ${minutes} minutos`,
    keepHint:
      'Durante ese tiempo, las aplicaciones pueden iniciar su sesión otra vez sin su contraseña. No la marque si otras personas usan este dispositivo.',
    submit: 'Iniciar sesión',
    problem: 'Hay un problema',
    errors: {
      refused: (plan) =>
        `No pudimos iniciar su sesión en su ${plan}. Revise el número de miembro o correo electrónico, la contraseña y el plan, e inténtelo otra vez.`,
      unavailable: () => 'En este momento no podemos iniciar su sesión. Inténtelo otra vez en un minuto.',
    },
    locked: (wait) =>
      `Hubo demasiados intentos con este nombre o desde su red. Espere ${wait} e inténtelo otra vez.`,
    seconds: (count) => (count === 1 ? '1 segundo' : `${count} segundos`),
    minutes: (count) => (count === 1 ? '1 minuto' : `${count} minutos`),
    usernameMissing: 'Escriba su número de miembro o correo electrónico',
    passwordMissing: 'Escriba su contraseña',
    passwordAgain: 'Escriba su contraseña otra vez',
  },
  provider: {
    continueWith: (provider) => `Continuar con ${provider}`,
    orHere: 'O inicie sesión con su cuenta aquí',
    problems: {
      unavailable: {
        title: 'El inicio de sesión de su plan no responde',
        advice: (provider) =>
          `${provider} no respondió. No se compartió nada. Espere un minuto y vuelva a intentarlo.`,
      },
      cancelled: {
        title: 'No terminó de iniciar sesión',
        advice: (provider) =>
          `${provider} terminó el inicio de sesión. No se compartió nada. Puede intentarlo otra vez.`,
      },
      failed: {
        title: 'No pudimos iniciar su sesión',
        advice: (provider) =>
          `Para proteger sus datos, no aceptamos la respuesta de ${provider}. No se compartió nada. Inténtelo otra vez. Si el problema continúa, llame al número de su tarjeta de miembro.`,
      },
      unknown_member: {
        title: 'No encontramos su registro en el plan',
        advice: (provider, plan) =>
          `Usted inició sesión en ${provider}, pero no encontramos su registro en ${plan}. Compruebe que eligió el plan correcto en la aplicación. Si tiene otra cuenta, use esa. Si cree que es un error, llame al número de su tarjeta de miembro.`,
      },
    },
    again: (provider) => `Intentar otra vez con ${provider}`,
    otherAccount: (provider) => `Usar otra cuenta de ${provider}`,
    here: 'Iniciar sesión con su cuenta aquí',
  },
  code: {
    title: 'Escriba el código que le enviamos',
    sent: (to) => `Enviamos un código a ${to}.`,
    why: 'El código confirma que es usted.',
    label: 'Código de 6 dígitos',
    submit: 'Continuar',
    valid: 'El código es válido durante 10 minutos.',
    wrong: 'El código no es correcto. Escriba el código de nuestro mensaje más reciente.',
    over: 'El código ya no es válido. Pida un código nuevo abajo.',
    tooSoon: 'Acabamos de enviar un código. Espere un minuto antes de pedir otro código.',
    busy: 'No pudimos verificar el código. Inténtelo otra vez.',
    none: 'Escriba el código de 6 dígitos',
    again: '¿No recibió el código?',
    byEmail: 'Enviar un código nuevo por correo electrónico',
    byText: 'Enviar un código nuevo por mensaje de texto',
    subject: (plan) => `Su código para ${plan}`,
    email: (code, plan) =>
      `${code} es su código para iniciar sesión en ${plan}.\n\nEl código es válido durante 10 minutos. No lo comparta con nadie. Nunca se lo pediremos por teléfono ni por correo.\n\nSi no intentó iniciar sesión, ignore este mensaje y cambie su contraseña.\n`,
    textMessage: (code, plan) =>
      `${code} es su código para iniciar sesión en ${plan}. Es válido durante 10 minutos. No lo comparta con nadie.`,
  },
  patient: {
    title: '¿De quién son los datos que quiere compartir?',
    intro: (application, plan) =>
      `${application} pide ver datos de ${plan}. Elija a una persona. En la página siguiente elegirá qué compartir.`,
    yourself: (name) => `${name} (usted)`,
    represented: (kind) => `Según nuestros registros, usted es su ${kind}.`,
    bornIn: (name, year) => `${name}, año de nacimiento: ${year}`,
    submit: 'Continuar',
    missing: 'Elija a la persona cuyos datos quiere compartir',
    noLonger: 'Usted no puede compartir los datos de esa persona. Elija a otra persona.',
    kinds: {
      parent: 'madre o padre',
      guardian: 'tutor o tutora legal',
      attorney: 'apoderado o apoderada',
      representative: 'representante personal',
    },
  },
  activation: spanishActivation,
  consent: {
    title: (application) => `¿Compartir sus datos con ${application}?`,
    titleFor: (patient, application) => `¿Compartir los datos de ${patient} con ${application}?`,
    onBehalfOf: (patient, kind) => `Usted comparte los datos de ${patient} como su ${kind}.`,
    shareFor: (patient) => `Compartir los datos de ${patient}`,
    signedInAs: (member) => `Inició sesión como ${member}.`,
    switchAccount: '¿No es usted? Cambiar de cuenta',
    unattestedTitle: 'Tenga cuidado con esta aplicación',
    unattested: (application) =>
      `${application} no nos ha dicho cómo protege y usa los datos. Aun así, usted puede compartirlos. Antes, lea la política de privacidad de la aplicación.`,
    what: 'Qué comparte',
    choose: 'Elija qué recibe la aplicación. Quite la marca de los datos que no quiera compartir.',
    sensitive: 'Datos delicados',
    sensitiveHint:
      'Compartimos estos datos solo si usted los marca. Su lista de medicinas aún puede dar pistas sobre ellos.',
    nothingChosen: 'Marque los datos que quiere compartir o elija “No compartir”.',
    identity: {
      name: 'Su identidad',
      detail: 'Un identificador que le indica a la aplicación quién es usted. No es su contraseña.',
    },
    readOnly: 'La aplicación puede ver estos datos. No puede cambiarlos.',
    withWhom: 'Quién los recibe',
    at: (host) => `de ${host}`,
    privacy: 'Política de privacidad',
    terms: 'Condiciones de uso',
    contact: (address) => `Contacte a la aplicación: ${address}`,
    noPrivacy: 'Esta aplicación no nos ha dado un enlace a su política de privacidad.',
    opensElsewhere: 'se abre en otra pestaña',
    untilWhen: 'Cuánto tiempo tiene acceso la aplicación',
    until: (minutes, time) =>
      `La aplicación tiene acceso durante ${minutes} minutos después de que usted acepte, hasta cerca de las ${time}.`,
    lasting: (day) =>
      `La aplicación tiene acceso hasta cerca del ${day}, a menos que usted deje de compartir antes. Puede ver sus datos aunque usted no la esté usando.`,
    thenAgain:
      'Después, la aplicación debe pedirle permiso otra vez. Puede conservar los datos que ya tiene.',
    stopAnyTime:
      'Puede dejar de compartir en cualquier momento en “Aplicaciones y planes con los que comparte”.',
    endLabel: 'Terminar el acceso',
    endOn: (day) => `cerca del ${day}`,
    endAfter: (days, day) =>
      days === 1 ? `después de 1 día, cerca del ${day}` : `después de ${days} días, cerca del ${day}`,
    replaces: (application) =>
      `Si ya compartió datos con ${application}, lo que elija aquí reemplaza lo que eligió antes.`,
    outside:
      'Después de compartir sus datos, la aplicación controla su copia. Es posible que la ley federal de privacidad de la salud (HIPAA) ya no proteja esa copia.',
    share: 'Compartir mis datos',
    decline: 'No compartir',
  },
  accountEnded: {
    title: 'No se compartió nada',
    advice:
      'Su cuenta o su plan cambió después de que usted inició sesión, así que terminamos esta sesión. Vuelva a la aplicación e inicie sesión otra vez. Si no funciona, llame al número de su tarjeta de miembro.',
    back: (application) => `Volver a ${application}`,
  },
  endSession: {
    title: '¿Quiere cerrar la sesión?',
    asked: 'Un enlace nos pide cerrar su sesión en este navegador.',
    askedBy: (application) => `${application} nos pide cerrar su sesión en este navegador.`,
    goesOn: 'Las aplicaciones con las que comparte conservan su acceso.',
    stay: 'Mantener la sesión abierta',
  },
  connectedApps: spanishConnectedApps,
  otherPlans: spanishOtherPlans,
  guides: spanishGuides,
  messages: spanishMessages,
  reference: {
    title: 'Para los creadores de la aplicación',
    requestId: 'ID de la solicitud',
    code: 'Código del error',
    address: 'Página solicitada',
    explanation: 'Qué significa este error y cómo corregirlo',
  },
};
