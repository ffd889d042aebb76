//! Tauri commands of the interface: one line each, everything else is in `limber-app`.

use std::collections::BTreeMap;

use limber_app::{
    App, AppError, MessageView,
    views::{
        AccountView, Backdrop, CharacterView, ClipDetails, ClipPart, ClipView, CorrectionLayer,
        Credits, Draft, EditRequest, ExportOutcome, ExportRequest, FactorOffer, JobView, Language,
        LanguageChoice, LanguageModelEntry, LanguageModelReading, LinkOutcome, LoopGap, MailText,
        MailView, PasswordOutcome, PhoneOffer, PromptCheck, PromptDraft, PromptRequest,
        RenderRequest, RigView, SaveFormat, Saved, ServerCheck, ServerEntry, SettingsView,
        SignInOptions, SignOutScope, SignUpOutcome, Snapshot, Span, StorageView, Theme,
        TimelineRate, UploadView, ViewerLayer, Vocabulary,
    },
};
use tauri::State;

use crate::window::LastWords;

type Answer<T> = Result<T, AppError>;

macro_rules! commands {
    ($($name:ident($app:ident $(, $argument:ident: $kind:ty)*) -> $answer:ty = $body:expr;)+) => {$(
        #[tauri::command]
        #[specta::specta]
        pub(crate) async fn $name(
            app: State<'_, App>
            $(, $argument: $kind)*
        ) -> Answer<$answer> {
            let $app = app.inner();
            $body
        }
    )+};
}

commands! {
    snapshot(app) -> Snapshot = Ok(app.snapshot().await);
    start_studio(app) -> () = { app.start(); Ok(()) };
    continue_here(app) -> () = app.continue_here().await;
    sign_up(app, email: String, password: String) -> SignUpOutcome =
        app.sign_up(&email, password.into()).await;
    sign_in(app, email: String, password: String) -> () =
        app.sign_in(&email, password.into()).await;
    sign_out(app, scope: SignOutScope) -> () = app.sign_out(scope).await;
    sign_in_options(app) -> SignInOptions = app.sign_in_options().await;
    mail_link(app, email: String) -> () = app.mail_link(&email).await;
    enter_mailed_code(app, email: String, code: String) -> () =
        app.enter_mailed_code(&email, &code).await;
    text_code(app, phone: String) -> () = app.text_code(&phone).await;
    enter_texted_code(app, phone: String, code: String) -> () =
        app.enter_texted_code(&phone, &code).await;
    open_provider(app, id: String) -> () = app.open_provider(&id).await;
    stop_waiting(app) -> () = { app.stop_waiting().await; Ok(()) };
    accept_invitation(app) -> () = app.accept_invitation().await;
    decline_invitation(app) -> () = { app.decline_invitation().await; Ok(()) };
    recover(app, email: String) -> () = app.recover(&email).await;
    enter_code(app, code: String) -> () = app.enter_code(&code).await;
    text_factor(app, id: String) -> () = app.text_factor(&id).await;
    enter_factor_code(app, id: String, code: String) -> () =
        app.enter_factor_code(&id, &code).await;
    change_password(app, password: String, current: Option<String>, code: Option<String>)
        -> PasswordOutcome =
        app.change_password(password.into(), current.map(Into::into), code).await;
    keep_password(app) -> () = { app.keep_password(); Ok(()) };
    account(app) -> AccountView = app.account().await;
    change_email(app, email: String) -> AccountView = app.change_email(&email).await;
    change_phone(app, phone: String) -> AccountView = app.change_phone(&phone).await;
    confirm_phone(app, phone: String, code: String) -> AccountView =
        app.confirm_phone(&phone, &code).await;
    begin_factor(app) -> FactorOffer = app.begin_factor().await;
    confirm_factor(app, id: String, code: String) -> AccountView =
        app.confirm_factor(&id, &code).await;
    begin_phone_factor(app, phone: String) -> PhoneOffer = app.begin_phone_factor(&phone).await;
    confirm_phone_factor(app, id: String, code: String) -> AccountView =
        app.confirm_phone_factor(&id, &code).await;
    remove_factor(app, id: String) -> AccountView = app.remove_factor(&id).await;
    unlink(app, id: String) -> AccountView = app.unlink(&id).await;
    end_session(app, id: String) -> AccountView = app.end_session(&id).await;
    characters(app) -> Vec<CharacterView> = app.characters().await;
    pick_characters(app) -> Vec<UploadView> = app.pick_characters().await;
    uploads(app) -> Vec<UploadView> = app.uploads();
    pause_upload(app, id: String) -> () = app.pause_upload(&id);
    resume_upload(app, id: String) -> () = app.resume_upload(&id);
    dismiss_upload(app, id: String) -> () = app.dismiss_upload(&id);
    rename_character(app, id: String, name: String) -> () = app.rename_character(&id, &name).await;
    delete_character(app, id: String) -> () = app.delete_character(&id).await;
    character_rig(app, id: String) -> RigView = app.character_rig(&id).await;
    map_character(app, id: String, joints: BTreeMap<String, Option<String>>) -> RigView =
        app.map_character(&id, joints).await;
    test_character(app, id: String) -> () = app.test_character(&id).await;
    check_prompt(app, request: PromptRequest) -> PromptCheck = app.check_prompt(request).await;
    vocabulary(app) -> Vocabulary = Ok(app.vocabulary());
    favourites(app) -> Vec<String> = Ok(app.favourites());
    set_favourite(app, prompt: String, favourite: bool) -> Vec<String> =
        app.set_favourite(&prompt, favourite);
    keep_desk(app, desk: PromptDraft) -> () = app.save_prompt_draft(desk).await;
    balance(app) -> Option<Credits> = Ok(app.balance().await?.map(Credits));
    backdrops(app) -> Vec<Backdrop> = app.backdrops().await;
    video_still(app, request: RenderRequest, frame: u32) -> String =
        app.video_still(request, frame).await;
    video_price(app, request: RenderRequest) -> Credits = app.video_price(request).await;
    render_video(app, request: RenderRequest, agreed: Credits) -> Option<JobView> =
        app.render_video(request, agreed).await;
    check_server(app, entry: ServerEntry) -> ServerCheck = app.check_server(entry).await;
    storage(app) -> StorageView = app.storage().await;
    empty_bin(app) -> StorageView = app.empty_bin().await;
    binned_clips(app) -> Vec<ClipView> = app.binned_clips().await;
    save_diagnostics(app) -> Option<Saved> = app.save_diagnostics().await;
    submit_prompt(app, request: PromptRequest, agreed: Credits) -> JobView =
        app.submit_prompt(request, agreed).await;
    retry_job(app, id: String, agreed: Credits) -> JobView = app.retry_job(&id, agreed).await;
    retry_price(app, id: String) -> Credits = app.retry_price(&id).await;
    cancel_job(app, id: String) -> () = app.cancel_job(&id).await;
    pay_for_job(app, id: String) -> () = app.pay_for_job(&id).await;
    jobs(app) -> Vec<JobView> = app.jobs();
    clips(app) -> Vec<ClipView> = Ok(app.clips());
    clips_of(app, ids: Vec<String>) -> Vec<ClipView> = Ok(app.clips_of(&ids));
    clip_still(app, id: String, frame: u32) -> String = app.clip_still(&id, frame).await;
    play_clips(app, ids: Vec<String>) -> () = app.play_clips(&ids).await;
    save_clip(app, id: String, format: SaveFormat) -> Option<Saved> =
        app.save_clip(&id, format).await;
    edit_clip(app, request: EditRequest, agreed: Credits) -> JobView =
        app.edit_clip(request, agreed).await;
    edit_price(app, request: EditRequest) -> Credits = app.edit_price(request).await;
    clip_details(app, id: String) -> ClipDetails = app.clip_details(&id).await;
    loop_gap(app, part: ClipPart) -> LoopGap = app.loop_gap(part).await;
    corrections(app, id: String) -> Vec<CorrectionLayer> = app.corrections(&id).await;
    keep_corrections(app, id: String, layers: Vec<CorrectionLayer>) -> Vec<MessageView> =
        app.keep_corrections(&id, layers).await;
    keep_draft(app, id: String, draft: Option<Draft>) -> () = app.keep_draft(&id, draft).await;
    export_clips(app, request: ExportRequest) -> Option<ExportOutcome> =
        app.export_clips(request).await;
    cancel_export(app) -> () = { app.cancel_export(); Ok(()) };
    show_place(app, place: u32) -> () = app.show_saved_folder(place).await;
    drag_clips(app, ids: Vec<String>, format: SaveFormat) -> () =
        app.drag_clips(ids, format).await;
    delete_clips(app, ids: Vec<String>) -> () = app.delete_clips(ids).await;
    restore_clips(app, ids: Vec<String>) -> () = app.restore_clips(ids).await;
    tag_clips(app, ids: Vec<String>, tag: String, wanted: bool) -> () = app.tag_clips(ids, &tag, wanted).await;
    rename_clip(app, id: String, name: String) -> () = app.rename_clip(id, &name).await;
    viewer_seek(app, frame: u32) -> () = { app.viewer_seek(frame).await; Ok(()) };
    viewer_play(app, playing: bool) -> () = { app.viewer_play(playing).await; Ok(()) };
    viewer_play_backwards(app) -> () = { app.viewer_play_backwards().await; Ok(()) };
    viewer_show(app, layer: ViewerLayer, enabled: bool) -> () =
        { app.viewer_show(layer, enabled).await; Ok(()) };
    viewer_compare(app, place: u32) -> () = { app.viewer_compare(place).await; Ok(()) };
    viewer_speed(app, factor: f32) -> () = { app.viewer_speed(factor).await; Ok(()) };
    viewer_in_place(app, enabled: bool) -> () = { app.viewer_in_place(enabled).await; Ok(()) };
    viewer_frame_all(app) -> () = { app.viewer_frame_all().await; Ok(()) };
    viewer_theme(app, light: bool) -> () = { app.viewer_theme(light).await; Ok(()) };
    viewer_loop(app, enabled: bool) -> () = { app.viewer_loop(enabled).await; Ok(()) };
    viewer_range(app, part: Option<Span>) -> () = app.viewer_range(part).await;
    prompt_history(app) -> Vec<String> = Ok(app.prompt_history());
    mails(app) -> Vec<MailView> = app.mails().await;
    read_mail(app, id: String) -> MailText = app.read_mail(&id).await;
    open_mail_link(app, id: String, index: u32) -> LinkOutcome = app.open_mail_link(&id, index).await;
    set_theme(app, theme: Theme) -> SettingsView = app.set_theme(theme).await;
    set_timeline_rate(app, rate: TimelineRate) -> SettingsView = app.set_timeline_rate(rate).await;
    set_shortcuts(app, shortcuts: BTreeMap<String, String>) -> SettingsView =
        app.set_shortcuts(shortcuts).await;
    set_language(app, wanted: LanguageChoice, spoken: Language) -> SettingsView =
        app.set_language(wanted, spoken).await;
    work_here(app) -> SettingsView = app.work_here().await;
    work_on_server(app, entry: ServerEntry) -> SettingsView = app.work_on_server(entry).await;
    connect_language_model(app, entry: LanguageModelEntry) -> SettingsView =
        app.connect_language_model(entry).await;
    forget_language_model(app) -> SettingsView = app.forget_language_model().await;
    test_language_model(app, entry: LanguageModelEntry) -> Option<LanguageModelReading> =
        app.test_language_model(entry).await;
    read_with_language_model(app, prompt: String) -> Option<LanguageModelReading> =
        app.read_with_language_model(&prompt).await;
    stop_language_model(app) -> () = { app.stop_language_model(); Ok(()) };
    open_folder(app) -> () = app.open_folder().await;
}

// For the window itself. No doc comment, because the bindings would contain it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn handed_over(last_words: State<'_, LastWords>) -> Answer<()> {
    last_words.said();
    Ok(())
}
