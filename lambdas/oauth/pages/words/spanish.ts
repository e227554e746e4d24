import { spanishConnectedApps } from './spanish-connected-apps.ts';
import { spanishGuides } from './spanish-guides.ts';
import { spanishMessages } from './spanish-messages.ts';
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
    'connected-apps': 'Aplicaciones con las que comparte',
    'choosing-an-app': 'Cómo elegir una aplicación',
    'privacy-laws': 'Leyes que protegen sus datos',
    complaints: 'Cómo presentar una queja',
  },
  signIn: {
    title: 'Entre en su plan de salud',
    intro: (application, plan) =>
      `${application} pide ver sus datos de su ${plan}. Primero entre. Después, usted decide.`,
    username: 'Número de miembro o correo electrónico',
    password: 'Contraseña',
    keep: (minutes) => `Mantener mi sesión abierta en este navegador durante ${minutes} minutos`,
    keepHint:
      'Hasta entonces una aplicación puede volver sin su contraseña. Deje la casilla vacía si otras personas usan este aparato.',
    submit: 'Entrar',
    problem: 'Hay un problema',
    errors: {
      refused: (plan) =>
        `No pudimos abrir su sesión en su ${plan}. Revise el número de miembro o correo, la contraseña y el plan, e inténtelo otra vez.`,
      unavailable: () => 'Ahora no podemos abrir su sesión. Inténtelo otra vez en un minuto.',
    },
    locked: (wait) =>
      `Hubo demasiados intentos con este nombre o desde donde usted está. Espere ${wait} e inténtelo otra vez.`,
    seconds: (count) => (count === 1 ? '1 segundo' : `${count} segundos`),
    minutes: (count) => (count === 1 ? '1 minuto' : `${count} minutos`),
    usernameMissing: 'Escriba su número de miembro o correo electrónico',
    passwordMissing: 'Escriba su contraseña',
    passwordAgain: 'Por su seguridad, escriba su contraseña otra vez.',
  },
  code: {
    title: 'Escriba el código que le enviamos',
    sent: (to) => `Enviamos un código a ${to}.`,
    why: 'Lo pedimos para estar seguros de que es usted.',
    label: 'Código de 6 números',
    submit: 'Continuar',
    valid: 'El código sirve durante 10 minutos.',
    wrong: 'Este código no es correcto. Mire nuestro mensaje más nuevo e inténtelo otra vez.',
    over: 'Este código ya no sirve. Pida uno nuevo abajo.',
    tooSoon: 'Acabamos de enviar un código. Espere un minuto antes de pedir otro.',
    busy: 'No pudimos revisar el código. Inténtelo otra vez.',
    none: 'Escriba el código de 6 números',
    again: '¿Todavía no tiene el código?',
    byEmail: 'Enviar otro correo',
    byText: 'Enviar un mensaje de texto',
    subject: (plan) => `Su código para ${plan}`,
    email: (code, plan) =>
      `${code} es su código para entrar en ${plan}.\n\nSirve durante 10 minutos. No se lo dé a nadie: nunca se lo pediremos por teléfono ni por correo.\n\n¿No intentó entrar? Puede ignorar este mensaje, pero cambie su contraseña.\n`,
    textMessage: (code, plan) =>
      `${code} es su código para entrar en ${plan}. Sirve durante 10 minutos. No se lo dé a nadie.`,
  },
  consent: {
    title: (application) => `¿Compartir sus datos con ${application}?`,
    signedInAs: (member) => `Entró como ${member}.`,
    switchAccount: '¿No es usted? Cambiar de cuenta',
    unattestedTitle: 'Tenga cuidado con esta aplicación',
    unattested: (application) =>
      `${application} no nos ha dicho cómo va a proteger y usar sus datos. Aun así, usted puede compartirlos. Lea antes su política de privacidad.`,
    what: 'Qué comparte',
    choose: 'Elija qué recibe la aplicación. Quite la marca de lo que no quiera compartir.',
    sensitive: 'Asuntos privados',
    sensitiveHint: 'Solo los compartimos si usted los marca.',
    nothingChosen: 'Marque lo que quiere compartir, o elija “No compartir”.',
    identity: {
      name: 'Su identificación',
      detail: 'Un código que dice a la aplicación que es usted. No su contraseña.',
    },
    readOnly: 'La aplicación puede ver estos datos. No puede cambiar nada.',
    withWhom: 'Quién los recibe',
    at: (host) => `de ${host}`,
    privacy: 'Política de privacidad',
    terms: 'Condiciones de uso',
    contact: (address) => `Preguntas a la aplicación: ${address}`,
    noPrivacy: 'Esta aplicación no nos ha dado un enlace a su política de privacidad.',
    opensElsewhere: 'se abre en otra pestaña',
    untilWhen: 'Hasta cuándo',
    until: (minutes, time) => `Durante ${minutes} minutos desde que acepta: hasta cerca de las ${time}.`,
    lasting: (day) =>
      `Hasta cerca del ${day}, si usted no la detiene antes. Hasta entonces la aplicación puede mirar otra vez, también cuando usted no la usa.`,
    thenAgain: 'Después la aplicación debe preguntarle otra vez. Puede guardar lo que ya recibió.',
    stopAnyTime: 'Puede dejar de compartir en cualquier momento en “Aplicaciones con las que comparte”.',
    outside:
      'Cuando los comparte, sus datos quedan en manos de la aplicación. La ley federal de privacidad médica (HIPAA) puede dejar de protegerlos.',
    share: 'Compartir mis datos',
    decline: 'No compartir',
  },
  endSession: {
    title: '¿Quiere salir?',
    asked: 'Un enlace nos pide cerrar su sesión en este navegador.',
    askedBy: (application) => `${application} nos pide cerrar su sesión en este navegador.`,
    goesOn: 'Las aplicaciones con las que comparte conservan su acceso.',
    stay: 'Seguir con la sesión abierta',
  },
  connectedApps: spanishConnectedApps,
  guides: spanishGuides,
  messages: spanishMessages,
};
