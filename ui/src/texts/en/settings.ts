/** The settings, the form for a server, and what clips take. */
export const settings = {
  title: "Settings",
  appearance: {
    title: "Appearance",
    words: "System follows what your desktop says, high contrast included.",
    system: "System",
    dark: "Dark",
    light: "Light",
    contrast: "High contrast",
  },
  language: {
    title: "Language / Sprache",
    words: "Prompts are in English in every language.",
    system: "System",
  },
  place: {
    title: "Where you work",
    hereWords: "Everything runs here. No network is needed, ever.",
    serverWords: "Prompts and characters go to your studio’s server.",
    here: "This computer",
    server: "A server",
  },
  noKeychain:
    "This computer has no keychain that Limber can use, so you will be asked to sign in again after a restart.",
  noKeychainDetail: "Install and unlock one, for example GNOME Keyring or KWallet, then restart Limber.",
  shortcuts: {
    title: "Shortcuts",
    words: "Everything can be done from the keyboard.",
    show: "Show shortcuts",
  },
  diagnostics: {
    title: "When something goes wrong",
    words:
      "One file with versions, settings and the end of the log, to send to whoever helps you. No prompts, addresses or secrets are in it.",
    save: "Save diagnostics",
  },
  about: {
    title: "About Limber {{version}}",
    words:
      "How Limber’s characters walk and run was fitted to measurements of recorded people. None of the recordings is in it.",
  },
  server: {
    words: "Your operator gives you these four.",
    identityUrl: "Address of the identity service",
    motionUrl: "Address of the motion service",
    clientId: "Client id",
    clientSecret: "Client secret",
    secretKept: "Kept in the keychain",
    allowUnencrypted: "Allow unencrypted connections to this server",
    unencryptedWords:
      "Everybody on the way to an http:// address can read passwords and tokens, and answer in the server’s place. Allow it only in a network that you trust.",
    found: "What was found",
    identity: "Identity service",
    motion: "Motion service",
    isFound: "{{name}}: found.",
    isNotFound: "{{name}}: not found.",
    check: "Check",
    connect: "Connect",
  },
  model: {
    title: "Your own language model",
    off: "Off. You may connect one that reads prompts when you ask it to.",
    on: "{{name}} at {{address}} reads a prompt when you press “Read with my model”.",
    words:
      "Any server does that speaks the chat-completions protocol, also one on this computer. It gets the prompt, the form of scripts and the names of actions, and only when you press.",
    begin: "Connect one…",
    change: "Change…",
    address: "Address of the server",
    name: "Name of the model",
    key: "Key",
    keyHint: "Where the server wants one. It lies in the keychain.",
    limit: "Time limit in seconds",
    unencryptedWords:
      "Everybody on the way to an http:// address can read prompts and the key. On this computer that is nobody, and nothing needs to be allowed.",
    test: "Test",
    stop: "Stop",
    connect: "Connect",
    forget: "Forget",
    works: "It answers with scripts.",
  },
  storage: {
    title: "Your clips",
    words: "Kept in Limber’s own folder on this computer. Signing out removes nothing.",
    openFolder: "Open folder",
    counting: "Counting…",
    library: "Library",
    bin: "Bin",
    empty: "empty",
    studio: "The studio’s own copies",
    free: "Free on the disk",
    showBin: "Show the bin",
    emptyBin: "Empty bin",
    whatLeaves_one:
      "{{count}} clip leaves the library for good, which gives {{size}} back. The studio’s own copies go a little later. Clips of the library and files that you exported stay.",
    whatLeaves_other:
      "{{count}} clips leave the library for good, which gives {{size}} back. The studio’s own copies go a little later. Clips of the library and files that you exported stay.",
  },
} as const;
