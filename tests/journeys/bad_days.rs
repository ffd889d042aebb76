//! Crashes, second starts, unusable folders, wrong clocks: nothing is lost, and the user sees
//! what to do.

use std::fs;

use crate::{
    home::Home,
    keychain::LockedKeychain,
    server::Server,
    window::{Window, until},
};

/// Submits a job and returns when it has begun.
async fn submit_job(home: &Home, window: &Window, prompt: &str) {
    window.prompt(prompt).await;
    window.choose("8").await;
    home.halt_worker().await;
    window.press("Generate").await;
    window.see(&format!("Progress of {prompt}")).await;
    home.worker_goes_on();
    let clip = format!("Clip: {prompt}");
    until("the job to start", async || {
        // on a fast computer it may be done before the first check
        (window.shows_work().await || window.says(&clip).await).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_job_survives_a_crash_of_its_worker() {
    let home = Home::new();
    let window = Window::open(&home).await;
    window.press("Continue on this computer").await;
    submit_job(&home, &window, "walks forward").await;
    home.kill("service worker");
    window.see("Clip: walks forward").await;
    window.close(&home).await;
}

#[tokio::test]
async fn a_job_survives_a_crash_of_the_motion_service() {
    let home = Home::new();
    let window = Window::open(&home).await;
    window.press("Continue on this computer").await;
    submit_job(&home, &window, "walks forward").await;
    home.kill("service motion");
    window.see("Clip: walks forward").await;
    window.close(&home).await;
}

#[tokio::test]
async fn a_job_survives_a_crash_of_the_database() {
    let home = Home::new();
    let window = Window::open(&home).await;
    window.press("Continue on this computer").await;
    submit_job(&home, &window, "walks forward").await;
    home.kill("postgres -D");
    window.see("Clip: walks forward").await;
    window.close(&home).await;
}

#[tokio::test]
async fn a_job_survives_a_crash_of_the_app_and_all_processes_end() {
    let home = Home::new();
    let window = Window::open(&home).await;
    window.press("Continue on this computer").await;
    submit_job(&home, &window, "walks forward").await;
    home.kill_app();
    drop(window);
    until("services and database to exit", async || {
        (home.processes("service ").is_empty() && home.processes("postgres").is_empty())
            .then_some(())
    })
    .await;

    let window = Window::open(&home).await;
    window.see("Clip: walks forward").await;
    window.close(&home).await;
}

#[tokio::test]
async fn a_second_instance_hands_over_to_the_first_and_exits() {
    let home = Home::new();
    let window = Window::open(&home).await;
    window.see("Continue on this computer").await;
    let mut second = home.limber(&[]).spawn().expect("the program can be started");
    let ended =
        until("the second instance to exit", async || second.try_wait().ok().flatten()).await;
    assert!(ended.success());
    window.press("Continue on this computer").await;
    window.close(&home).await;
}

#[tokio::test]
async fn a_database_of_another_version_is_reported_and_left_unchanged() {
    let home = Home::new();
    let data = home.data().join("database/data");
    fs::create_dir_all(&data).expect("the folder can be created");
    fs::write(data.join("PG_VERSION"), "9\n").expect("the file can be written");
    let window = Window::open(&home).await;
    window.see("Install the package `postgresql-9`").await;
    window.close(&home).await;
    let left: Vec<_> = fs::read_dir(&data).expect("the folder can be listed").collect();
    assert_eq!(left.len(), 1, "nothing was added or removed");
}

#[tokio::test]
async fn an_unusable_data_folder_is_reported() {
    let home = Home::new();
    fs::write(home.data(), "a file where a folder should be").expect("the file can be written");
    let window = Window::open(&home).await;
    window.see("Limber cannot write to its data folder").await;
    window.close(&home).await;
    assert!(home.data().is_file(), "the file is unchanged");
}

#[tokio::test]
async fn without_a_keychain_the_app_works_and_warns_that_sign_in_is_not_saved() {
    let home = Home::without_keychain();
    let window = Window::open(&home).await;
    window.create_account("ada@example.com", "correct horse battery").await;
    window.confirm_by_mail().await;
    window.press("Account").await;
    window.see("keychain is locked or missing").await;
    window.close(&home).await;
}

#[tokio::test]
async fn a_locked_keychain_is_reported_and_the_app_still_works() {
    let mut home = Home::new();
    let keychain = LockedKeychain::open(&home);
    home.finds_bus(&keychain.bus);
    let window = Window::open(&home).await;
    window.create_account("ada@example.com", "correct horse battery").await;
    window.confirm_by_mail().await;
    window.press("Account").await;
    window.see("Limber keeps you signed in on this computer").await;
    window.close(&home).await;

    keychain.lock();
    let window = Window::open(&home).await;
    window.see("keychain is locked").await;
    window.inspect("keychain-locked").await;
    window.press("Continue on this computer").await;
    window.prompt("waves").await;
    window.choose("3 s").await;
    window.press("Generate").await;
    window.see("Clip: waves").await;
    window.close(&home).await;
}

#[tokio::test]
async fn without_opengl_3_3_only_the_viewer_fails_and_says_why() {
    let mut home = Home::new();
    home.has_old_graphics();
    let window = Window::open(&home).await;
    window.press("Continue on this computer").await;
    window.prompt("waves").await;
    window.choose("3 s").await;
    window.press("Generate").await;
    window.see("Clip: waves").await;
    window.press("Play").await;
    window.see("OpenGL 3.3").await;
    window.inspect("old-graphics").await;
    window.press("Export").await;
    window.see("Choose folder and export").await;
    window.press("Close").await;
    window.close(&home).await;
}

/// Starts the app on a simulated day, makes a clip in the session, which is still valid, and checks
/// that older clips are listed.
async fn use_app_on_day(home: &mut Home, days: i32, prompt: &str, earlier: &[&str]) {
    home.set_clock(days);
    let window = Window::open(home).await;
    window.prompt(prompt).await;
    window.choose("3 s").await;
    window.press("Generate").await;
    window.see(&format!("Clip: {prompt}")).await;
    window.press("Library").await;
    for clip in earlier {
        window.see(&format!("Clip: {clip}")).await;
    }
    window.close(home).await;
}

#[tokio::test]
async fn a_clock_that_is_off_by_a_year_does_not_sign_users_out() {
    let mut home = Home::new();
    let Some(mut server) = Server::start(&home.path().join("server")).await else { return };
    server.work();
    let window = Window::open(&home).await;
    server.connect(&window).await;
    server.sign_in_by_phone(&window).await;
    window.see("What should the character do?").await;
    window.close(&home).await;
    use_app_on_day(&mut home, 400, "waves", &[]).await;
    use_app_on_day(&mut home, -400, "jumps", &["waves"]).await;
}

#[tokio::test]
async fn correcting_the_clock_does_not_sign_out_of_the_local_studio() {
    let mut home = Home::new();
    home.set_clock(400);
    let window = Window::open(&home).await;
    window.press("Continue on this computer").await;
    window.see("What should the character do?").await;
    window.close(&home).await;
    use_app_on_day(&mut home, 400, "waves", &[]).await;
    use_app_on_day(&mut home, 0, "jumps", &["waves"]).await;
}

#[tokio::test]
async fn a_failed_job_says_why_and_its_source_clip_is_kept() {
    let home = Home::new();
    let window = Window::open(&home).await;
    window.press("Continue on this computer").await;
    window.prompt("walks forward").await;
    window.choose("3 s").await;
    window.press("Generate").await;
    window.see("Clip: walks forward").await;
    window.press("Edit").await;
    window.choose("Loop").await;
    home.halt_worker().await;
    window.press("Create loop").await;
    window.see("Progress of ").await;
    // the service can no longer read the source when the job is due
    home.damage_kept_files();
    home.worker_goes_on();
    window.press_exactly("Queue").await;
    window.see("Failed").await;
    window.see("The clip “walks forward” that the job starts from").await;
    window.inspect("failed").await;
    window.press("Library").await;
    window.see("Clip: walks forward").await;
    window.close(&home).await;
}

#[tokio::test]
async fn a_result_waits_for_disk_space_and_says_so() {
    let home = Home::new();
    let Some(disk) = home.on_a_small_disk() else { return };
    let Some(mut server) = Server::start(&home.path().join("server")).await else { return };
    let window = Window::open(&home).await;
    server.connect(&window).await;
    server.sign_in_by_phone(&window).await;
    window.prompt("waves").await;
    window.choose("3 s").await;
    window.press("Generate").await;
    window.see("Progress of waves").await;
    disk.fill();
    server.work();
    window.see("could not store the clip").await;
    window.see("retrying automatically").await;
    window.inspect("no-room-for-a-result").await;
    disk.make_room();
    window.see("Clip: waves").await;
    window.close(&home).await;
}

#[tokio::test]
async fn a_full_disk_is_reported_and_nothing_is_lost() {
    let home = Home::new();
    let Some(disk) = home.on_a_small_disk() else { return };
    let window = Window::open(&home).await;
    window.press("Continue on this computer").await;
    window.prompt("walks forward").await;
    window.choose("3 s").await;
    window.press("Generate").await;
    window.see("Clip: walks forward").await;
    disk.fill();
    window.prompt("waves").await;
    window.press("Generate").await;
    window.see("disk is full").await;
    window.inspect("disk-full").await;
    disk.make_room();
    window.close(&home).await;
    let window = Window::open(&home).await;
    window.see("Clip: walks forward").await;
    window.prompt("jumps").await;
    window.press("Generate").await;
    window.see("Clip: jumps").await;
    window.close(&home).await;
}
