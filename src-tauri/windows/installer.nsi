; The installer of Limber for Windows, by NSIS. `cargo xtask cross windows` runs it with
;   VERSION  the version, for example 0.1.0
;   BUILT    the folder of the programs
;   ROOT     the folder of the sources
;   SETUP    the file to write
;   QUICK    defined for a fast build of a large file, for tests
;
; It installs for one user and asks for no administrator. What users made lies in other folders, which neither
; an update nor an uninstallation touches unless the user says so.

; the programs are for 64 bits, too
Target amd64-unicode
ManifestDPIAware true
!ifdef QUICK
  SetCompressor zlib
!else
  SetCompressor /SOLID lzma
!endif
RequestExecutionLevel user

!include "MUI2.nsh"
!include "FileFunc.nsh"

!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Limber"
; Where the program keeps clips, characters, settings and the local database, and where its window keeps what
; the window remembers: under tauri.conf.json's identifier.
!define DATA "limber"
!define WINDOW_DATA "app.limber.studio"
; WebView2, as Microsoft's pages say how to find it.
!define WEBVIEW2 "{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}"

Name "Limber"
OutFile "${SETUP}"
InstallDir "$LOCALAPPDATA\Programs\Limber"
InstallDirRegKey HKCU "Software\Limber" "Folder"
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "Limber"
VIAddVersionKey "FileDescription" "Limber's installer"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "LegalCopyright" "MIT OR Apache-2.0"

!define MUI_ICON "${ROOT}/assets/icons/icon.ico"
!define MUI_UNICON "${ROOT}/assets/icons/icon.ico"
!define MUI_FINISHPAGE_RUN "$INSTDIR\limber.exe"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_COMPONENTS
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"

LangString DATA_NAME ${LANG_ENGLISH} "My clips, characters and settings"
LangString DATA_NAME ${LANG_GERMAN} "Meine Clips, Figuren und Einstellungen"
LangString NO_WEBVIEW ${LANG_ENGLISH} "Limber's window needs Microsoft Edge WebView2, which this computer lacks. Get it from https://go.microsoft.com/fwlink/p/?LinkId=2124703, then start Limber. The command line works without it."
LangString NO_WEBVIEW ${LANG_GERMAN} "Limbers Fenster braucht Microsoft Edge WebView2, das auf diesem Computer fehlt. Holen Sie es von https://go.microsoft.com/fwlink/p/?LinkId=2124703 und starten Sie dann Limber. Die Befehlszeile arbeitet ohne es."
LangString RUNNING ${LANG_ENGLISH} "Limber is running. Close it, then try again."
LangString RUNNING ${LANG_GERMAN} "Limber läuft noch. Schließen Sie es und versuchen Sie es noch einmal."

; A file of 3D animation opens in Limber if the user chooses so; no other program loses it.
!macro OpenWith extension
    WriteRegStr HKCU "Software\Classes\.${extension}\OpenWithProgids" "Limber.Animation" ""
    WriteRegStr HKCU "Software\Limber\Capabilities\FileAssociations" ".${extension}" "Limber.Animation"
!macroend
!macro NoLongerOpenWith extension
    DeleteRegValue HKCU "Software\Classes\.${extension}\OpenWithProgids" "Limber.Animation"
!macroend

; A program that runs cannot be replaced. Writing to it tells, without a plug-in.
!macro WaitUntilClosed
    ${If} ${FileExists} "$INSTDIR\limber.exe"
        closed:
        ClearErrors
        FileOpen $0 "$INSTDIR\limber.exe" a
        ${If} ${Errors}
            MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(RUNNING)" /SD IDCANCEL IDRETRY closed
            Abort
        ${EndIf}
        FileClose $0
    ${EndIf}
!macroend

Section "Limber"
    !insertmacro WaitUntilClosed
    SetOutPath "$INSTDIR"
    File "${BUILT}/limber.exe"
    File "${BUILT}/limber-identity.exe"
    File "${BUILT}/limber-motion.exe"
    File "${BUILT}/WebView2Loader.dll"
    File "/oname=LICENSE-MIT.txt" "${ROOT}/LICENSE-MIT"
    File "/oname=LICENSE-APACHE.txt" "${ROOT}/LICENSE-APACHE"

    CreateShortcut "$SMPROGRAMS\Limber.lnk" "$INSTDIR\limber.exe"

    ; links of the form limber://, by which a browser brings a user back
    WriteRegStr HKCU "Software\Classes\limber" "" "URL:Limber"
    WriteRegStr HKCU "Software\Classes\limber" "URL Protocol" ""
    WriteRegStr HKCU "Software\Classes\limber\shell\open\command" "" '"$INSTDIR\limber.exe" "%1"'

    WriteRegStr HKCU "Software\Classes\Limber.Animation" "" "3D animation"
    WriteRegStr HKCU "Software\Classes\Limber.Animation\DefaultIcon" "" "$INSTDIR\limber.exe,0"
    WriteRegStr HKCU "Software\Classes\Limber.Animation\shell\open\command" "" '"$INSTDIR\limber.exe" view "%1"'
    WriteRegStr HKCU "Software\Limber\Capabilities" "ApplicationName" "Limber"
    WriteRegStr HKCU "Software\Limber\Capabilities" "ApplicationDescription" "Say a motion, see it on your character"
    WriteRegStr HKCU "Software\RegisteredApplications" "Limber" "Software\Limber\Capabilities"
    !insertmacro OpenWith "glb"
    !insertmacro OpenWith "vrm"
    !insertmacro OpenWith "fbx"
    !insertmacro OpenWith "bvh"

    WriteRegStr HKCU "Software\Limber" "Folder" "$INSTDIR"
    WriteUninstaller "$INSTDIR\uninstall.exe"
    WriteRegStr HKCU "${KEY}" "DisplayName" "Limber"
    WriteRegStr HKCU "${KEY}" "DisplayVersion" "${VERSION}"
    WriteRegStr HKCU "${KEY}" "DisplayIcon" "$INSTDIR\limber.exe"
    WriteRegStr HKCU "${KEY}" "Publisher" "Limber"
    WriteRegStr HKCU "${KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
    WriteRegStr HKCU "${KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
    WriteRegDWORD HKCU "${KEY}" "NoModify" 1
    WriteRegDWORD HKCU "${KEY}" "NoRepair" 1
    ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
    WriteRegDWORD HKCU "${KEY}" "EstimatedSize" $0
    ${RefreshShellIcons}

    ReadRegStr $0 HKLM "SOFTWARE\WOW6432Node\Microsoft\EdgeUpdate\Clients\${WEBVIEW2}" "pv"
    ${If} $0 == ""
        ReadRegStr $0 HKCU "Software\Microsoft\EdgeUpdate\Clients\${WEBVIEW2}" "pv"
    ${EndIf}
    ${If} $0 == ""
        MessageBox MB_OK|MB_ICONINFORMATION "$(NO_WEBVIEW)" /SD IDOK
    ${EndIf}
SectionEnd

Section "un.Limber"
    SectionIn RO
    !insertmacro WaitUntilClosed
    Delete "$INSTDIR\limber.exe"
    Delete "$INSTDIR\limber-identity.exe"
    Delete "$INSTDIR\limber-motion.exe"
    Delete "$INSTDIR\WebView2Loader.dll"
    Delete "$INSTDIR\LICENSE-MIT.txt"
    Delete "$INSTDIR\LICENSE-APACHE.txt"
    Delete "$INSTDIR\uninstall.exe"
    ; only when nothing else is in it
    RMDir "$INSTDIR"
    Delete "$SMPROGRAMS\Limber.lnk"
    !insertmacro NoLongerOpenWith "glb"
    !insertmacro NoLongerOpenWith "vrm"
    !insertmacro NoLongerOpenWith "fbx"
    !insertmacro NoLongerOpenWith "bvh"
    DeleteRegKey HKCU "Software\Classes\Limber.Animation"
    DeleteRegKey HKCU "Software\Classes\limber"
    DeleteRegValue HKCU "Software\RegisteredApplications" "Limber"
    DeleteRegKey HKCU "Software\Limber"
    DeleteRegKey HKCU "${KEY}"
    ${RefreshShellIcons}
SectionEnd

; Not chosen unless the user chooses it, and never in silence.
Section /o "un.$(DATA_NAME)"
    RMDir /r "$LOCALAPPDATA\${DATA}"
    RMDir /r "$LOCALAPPDATA\${WINDOW_DATA}"
SectionEnd
