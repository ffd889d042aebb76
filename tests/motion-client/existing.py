"""Behaves like clients written for another service with the same interface: sends client id and secret with every
call, prompts in quotes and intervals in seconds, and expects lists of characters in `list`.

    existing.py BASE_ADDRESS NAME_OF_THE_COOKIE CHARACTER_FILE SIGN

with `clientId:clientSecret` on standard input. In the GLB of the character, a joint is called `root`. No picture is
drawn until this program creates the file SIGN. The second variant of the seed 7 cannot be made at the first attempt.

Prints `ok NAME` for each flow that passed. The first failure ends the program with a message.
"""

import json
import sys
import time

import requests

BASE, COOKIE, CHARACTER, SIGN = sys.argv[1:]
PATIENCE_S = 500
PAUSE_S = 0.3
LENGTH_S = 3
FPS = 30
SEED_WITH_A_FAULT = 7


class Broken(Exception):
    """The service does not do what existing clients need."""


def check(holds, sentence):
    if not holds:
        raise Broken(sentence)


class Client:
    """A session as in their SDKs, which send the credentials with every request, next to the cookie."""

    def __init__(self, client_id, secret):
        self.session = requests.Session()
        self.session.auth = (client_id, secret)
        answer = self.session.get(BASE + "/account/v1/auth", timeout=30)
        check(answer.status_code == 200, f"authentication answers {answer.status_code}")
        check(COOKIE in answer.cookies, f"no cookie {COOKIE}: {list(answer.cookies.keys())}")
        self.cookie = answer.cookies[COOKIE]

    def answer(self, method, path, **more):
        return self.session.request(method, BASE + path, timeout=30, **more)

    def call(self, method, path, **more):
        answer = self.answer(method, path, **more)
        check(answer.status_code == 200, f"{method} {path} answers {answer.status_code}: {answer.text}")
        return answer.json()

    def submit(self, *params, processor="text2motion"):
        return self.answer("POST", f"/job/v1/process/{processor}", json={"params": list(params)})

    def process(self, *params, processor="text2motion"):
        answer = self.submit(*params, processor=processor)
        check(answer.status_code == 200, f"{params} is answered by {answer.status_code}: {answer.text}")
        return answer.json()["rid"]

    def refused(self, status, *params, processor="text2motion"):
        answer = self.submit(*params, processor=processor)
        check(answer.status_code == status, f"{params} is answered by {answer.status_code}, not {status}")
        check(answer.json()["message"], "a refusal without a message")
        return answer.json()

    def finish(self, rid):
        """Polls as their loops do, until SUCCESS or FAILURE, and computes the progress."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            told = self.call("GET", f"/job/v1/status/{rid}")
            check(told["count"] > 0, "a job that is known is not told of")
            entry = told["status"][0]
            if entry["status"] == "PROGRESS":
                check(0 <= entry["details"]["step"] / entry["details"]["total"] <= 1, f"no share: {entry}")
            elif entry["status"] in ("SUCCESS", "FAILURE"):
                check(entry["status"] == "SUCCESS", f"the job failed: {entry}")
                return
            time.sleep(PAUSE_S)
        raise Broken(f"{rid} does not end")

    def make(self, *params, processor="text2motion"):
        rid = self.process(*params, processor=processor)
        self.finish(rid)
        return rid

    def entry(self, rid):
        return next(job for job in self.call("GET", "/job/v1/list")["list"] if job["rid"] == rid)

    def frames(self, rid):
        return self.entry(rid)["variants"]["1"]["frames"]

    def links(self, rids, variants):
        return self.call("GET", f"/job/v1/download/{','.join(rids)}", params={"variant_id": variants})["links"]

    def fetch(self, links, kind):
        """Downloads the first file of a kind, with the credentials, as scripts send them."""
        urls = [file[kind] for group in links["urls"] for file in group["files"] if kind in file]
        check(urls, f"no {kind}: {links['urls']}")
        answer = self.session.get(urls[0], timeout=30)
        check(answer.status_code == 200, f"a {kind} answers {answer.status_code}")
        return urls[0], answer.content


def cookies_with_attributes(client):
    """One SDK splits the cookie at every `=` and sends a remainder of its attributes back."""
    header = {"Cookie": f"{COOKIE}={client.cookie}; Path"}
    answer = requests.get(BASE + "/account/v1/creditBalance", headers=header, timeout=30)
    check(answer.status_code == 200, f"a cookie with an attribute is answered by {answer.status_code}")
    check(int(answer.json()["credits"]) >= 0, "no credits")


def list_models(client):
    # as a script asks, with the name of a vendor that this service does not know
    told = client.call("GET", "/character/v1/listModels", params={"stockModel": "another maker"})
    check(told["count"] == len(told["list"]) > 0, f"not as many as it says: {told['count']}")
    check(all(model["id"] and model["name"] for model in told["list"]), "characters without id or name")
    return told["list"][0]["id"]


def text_to_motion(client, model):
    rid = client.make('prompt="A person walks forward"', f"model={model}", f"requestedAnimationDuration={LENGTH_S}.0")
    check(client.frames(rid) == LENGTH_S * FPS, f"another length: {client.frames(rid)}")
    _, archive = client.fetch(client.links([rid], "1")[0], "fbx")
    check(archive[:4] == b"PK\x03\x04", "the FBX is no ZIP")
    return rid


def success_comes_before_the_pictures(client, source):
    # no picture can be drawn yet, and the job is a SUCCESS
    thumb = client.entry(source)["variants"]["1"]["thumb"]
    check(thumb is None, f"a picture that cannot have been drawn: {thumb}")
    with open(SIGN, "w"):
        pass


def short_motions(client, model):
    for prompt, length in (("a person bows", 1), ("a person sits down", 0.3), ("a person waves, then jumps", 0.5)):
        rid = client.make(f'prompt="{prompt}"', f"model={model}", f"requestedAnimationDuration={length}", "skipFBX=1")
        check(client.frames(rid) == length * FPS, f"{prompt} is not {length} s long")
    refused = client.refused(422, 'prompt="A person walks"', f"model={model}", "requestedAnimationDuration=0.2")
    check("0.3" in refused["message"], f"the least length is not told: {refused}")


def two_variants_in_one_download(client, model):
    rid = client.make('prompt="A person jumps"', f"model={model}", "requestedAnimationDuration=2", "numVariant=2")
    variants = client.entry(rid)["variants"]
    check(variants.keys() == {"1", "2"}, f"not both variants: {variants.keys()}")
    both = client.links([rid, rid], "1,2")
    check([entry["rid"] for entry in both] == [rid, rid], f"not both: {both}")
    first, second = [client.fetch(entry, "glb")[1] for entry in both]
    check(first != second, "both variants are the same")


def every_variant(client, model):
    """A SUCCESS has all variants, also if one of them had to be made again."""
    rid = client.make('prompt="A person waves"', f"model={model}", "requestedAnimationDuration=2", "numVariant=4",
                      f"seed={SEED_WITH_A_FAULT}")
    variants = client.entry(rid)["variants"]
    check(variants.keys() == {"1", "2", "3", "4"}, f"not all variants: {variants.keys()}")
    files = [client.fetch(client.links([rid], number)[0], "glb")[1] for number in variants]
    check(len(set(files)) == 4, "variants with the same file")


def merge(client, source):
    request = {"t2m_rid": source, "prompt": "a person waves", "blendDuration": 0.5}
    rid = client.make(f"t2m_rid={source}", f"mergingRequest={json.dumps(request)}")
    wanted = 2 * LENGTH_S * FPS + FPS // 2
    check(client.frames(rid) == wanted, f"{client.frames(rid)} frames, not {wanted}")


def loop(client, source):
    request = {"prompt": "a person waves", "numReps": 1, "blendDuration": 0.4}
    rid = client.make(f"t2m_rid={source}", f"loopRequest={json.dumps(request)}")
    check(client.frames(rid) > 0, "nothing goes round")


def inpaint(client, source):
    def params(start, end, *more):
        request = {"prompt": "a person waves", "intervals": [{"start": start, "end": end}]}
        return (f"t2m_rid={source}", f"inPaintingRequest={json.dumps(request)}", *more)

    # fractions are seconds; so are whole numbers that cannot be frames, or whose unit says so
    for asked in (params(1.0, 1.7), params(1.0, 2.0), params(1, 2), params(0, 2, "unit=seconds")):
        rid = client.make(*asked)
        check(client.frames(rid) == LENGTH_S * FPS, f"{asked} changes the length")
    client.refused(422, *params(0, 2, "unit=frames"))


def heads(client, source):
    url, content = client.fetch(client.links([source], "1")[0], "glb")
    head = client.session.head(url, timeout=30)
    check(head.status_code == 200 and int(head.headers["content-length"]) == len(content), "a HEAD of a file")
    running = client.process('prompt="A person runs"', "model=default", "requestedAnimationDuration=2")
    for path in ("/account/v1/auth", f"/job/v1/cancel/{running}"):
        answer = client.answer("HEAD", path)
        check(answer.status_code == 405, f"HEAD {path} answers {answer.status_code}")
    client.finish(running)


def videos(client, source):
    refused = client.refused(422, f"t2m_rid={source}", "variant_id=1", "bgColor=", processor="render")
    check(refused["code"] == 1102 and refused["param"] == "bgColor", f"another refusal: {refused}")
    options = ("bgColor=20, 40, 60, 255", "width=128", "height=128", "backdrop=studio", "shadow=1")
    rid = client.make(f"t2m_rid={source}", *options, processor="render")
    _, video = client.fetch(client.links([rid], "1")[0], "mp4")
    check(video[4:8] == b"ftyp", "the MP4 is none")


def joints(client, model):
    """Returns the names of the joints in the BVH of a motion with a root."""
    rid = client.make('prompt="A person waves"', f"model={model}", "requestedAnimationDuration=2",
                      "rootAtOrigin=1", "dis=s", "poseFilteringStrength=0.5")
    _, bvh = client.fetch(client.links([rid], "1")[0], "bvh")
    lines = [line.split() for line in bvh.decode().splitlines()]
    return [words[1] for words in lines if words and words[0] in ("ROOT", "JOINT")]


def roots(client, model):
    names = joints(client, model)
    check(names[0] == "root" and names.count("root") == 1, f"not one root: {names}")


def root_beside_a_joint_called_root(client):
    query = {"name": "rooted", "modelExt": "glb", "resumable": 0}
    urls = client.call("GET", "/character/v1/getModelUploadUrl", params=query)
    with open(CHARACTER, "rb") as file:
        answer = requests.put(urls["modelUrl"], data=file.read(), timeout=30)
    check(answer.status_code == 200, f"an upload is answered by {answer.status_code}: {answer.text}")
    # as a script stores, with all the addresses it got
    stored = client.call("POST", "/character/v1/storeModel", json=urls)
    names = joints(client, stored["modelId"])
    check(names[0] != "root" and names.count("root") == 1, f"the character's joint or the root is lost: {names}")


def lists(client):
    jobs = client.call("GET", "/job/v1/list")["list"]
    processors = {job["processor"] for job in jobs}
    check(processors == {"text2motion", "render"}, f"not both kinds of jobs: {processors}")
    for job in jobs:
        is_motion = job["processor"] == "text2motion"
        check(("variants" in job) == is_motion, f"variants of what? {job}")
        if is_motion and job["status"] == "SUCCESS":
            wanted = int(job["parameters"]["numVariant"])
            check(len(job["variants"]) == wanted, f"{wanted} variants were requested: {job}")


def pictures_follow(client, source):
    until = time.monotonic() + PATIENCE_S
    while (thumb := client.entry(source)["variants"]["1"]["thumb"]) is None:
        check(time.monotonic() < until, "no picture follows")
        time.sleep(PAUSE_S)
    check(client.session.get(thumb, timeout=30).content.startswith(b"\x89PNG"), "the thumbnail is not a PNG")


def where_the_time_went(client):
    spent = told = 0
    for job in client.call("GET", "/job/v1/list/SUCCESS")["list"]:
        info = job["processingInfo"]
        end = info["startedAt"]
        for stage in info["stages"]:
            if stage["attempt"] != info["attempts"]:
                continue
            check(stage["startedAt"] == end, f"a gap before {stage['name']}: {info}")
            end += stage["durationMs"]
        told += end - info["startedAt"]
        spent += info["finishedAt"] - info["startedAt"]
    check(0.95 * spent <= told <= spent, f"{told} ms of {spent} ms are told of")


def flow(name, work, *arguments):
    found = work(*arguments)
    print(f"ok {name}", flush=True)
    return found


def main():
    client = flow("authenticate", Client, *sys.stdin.read().strip().split(":", 1))
    flow("cookies with attributes", cookies_with_attributes, client)
    model = flow("list models", list_models, client)
    source = flow("text to motion", text_to_motion, client, model)
    flow("success before the pictures", success_comes_before_the_pictures, client, source)
    flow("short motions", short_motions, client, model)
    flow("two variants in one download", two_variants_in_one_download, client, model)
    flow("every variant", every_variant, client, model)
    flow("merge", merge, client, source)
    flow("loop", loop, client, source)
    flow("inpaint", inpaint, client, source)
    flow("heads", heads, client, source)
    flow("videos", videos, client, source)
    flow("roots", roots, client, model)
    flow("root beside a joint called root", root_beside_a_joint_called_root, client)
    flow("lists", lists, client)
    flow("pictures follow", pictures_follow, client, source)
    flow("where the time went", where_the_time_went, client)


try:
    main()
except Broken as broken:
    sys.exit(f"broken: {broken}")
