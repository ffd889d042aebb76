//! Test sentences for actions defined by scores. Add to them, but never change them.

/// At least five paraphrases of each action.
pub(super) const ACTED: &[(&str, &[&str])] = &[
    (
        "salute",
        &[
            "a soldier salutes",
            "he gives a military salute",
            "salute with the right hand",
            "the man is saluting",
            "she saluted the flag",
            "a person raises a hand to the brow",
        ],
    ),
    (
        "shrug",
        &[
            "a person shrugs",
            "he shrugs his shoulders",
            "she gave a shrug",
            "the man is shrugging",
            "someone raises both shoulders",
        ],
    ),
    (
        "thumbs-up",
        &[
            "gives a thumbs up",
            "a person shows two thumbs up",
            "he sticks his thumb up",
            "she is giving the thumbs-up",
            "puts a thumb up",
        ],
    ),
    (
        "cross-arms",
        &[
            "a person crosses their arms",
            "she folds her arms",
            "he stands with his arms crossed",
            "crossing her arms over her chest",
            "the man folded his arms",
        ],
    ),
    (
        "hands-on-hips",
        &[
            "puts her hands on her hips",
            "he stands with his hands on his hips",
            "a person places both hands on the hips",
            "hands on hips",
            "standing with arms akimbo",
        ],
    ),
    (
        "facepalm",
        &[
            "a man facepalms",
            "she does a facepalm",
            "he covers his face",
            "smacks his forehead",
            "buries her face in her hands",
        ],
    ),
    (
        "scratch-head",
        &[
            "scratches his head",
            "a person is scratching their head",
            "she scratched the head with the left hand",
            "he rubs his head",
            "someone scratches",
        ],
    ),
    (
        "pray",
        &[
            "a person prays",
            "he is praying",
            "she puts her hands together",
            "presses his palms together",
            "folds her hands in prayer",
        ],
    ),
    (
        "blow-kiss",
        &[
            "blows a kiss",
            "she blew a kiss",
            "a person is blowing kisses",
            "he throws a kiss",
            "sends a kiss",
        ],
    ),
    (
        "beckon",
        &[
            "beckons",
            "he beckons someone over",
            "a person waves someone over",
            "she gestures to come",
            "the man is beckoning with the left hand",
        ],
    ),
    (
        "stop-sign",
        &[
            "signals to stop",
            "he makes a stop sign",
            "she holds out a palm",
            "a guard gestures to stop",
            "puts a hand out to stop",
        ],
    ),
    (
        "hug",
        &[
            "hugs someone",
            "a person gives a hug",
            "she embraces a friend",
            "he is hugging his mother",
            "opens his arms for a hug",
        ],
    ),
    (
        "think",
        &[
            "thinks",
            "a person is thinking hard",
            "he strokes his chin",
            "she ponders",
            "puts his hand on his chin",
        ],
    ),
    (
        "cheer",
        &[
            "cheers",
            "the crowd is cheering",
            "he pumps his fists",
            "she rejoices",
            "he raises his fist in victory",
        ],
    ),
    (
        "laugh",
        &[
            "laughs",
            "she is laughing out loud",
            "he bursts out laughing",
            "a person giggles",
            "chuckled",
        ],
    ),
    ("cry", &["cries", "a child is crying", "she weeps", "he wipes his tears", "sobbed"]),
    (
        "cough",
        &[
            "coughs",
            "he is coughing into his fist",
            "a person coughed",
            "she clears her throat",
            "coughs three times",
        ],
    ),
    (
        "sneeze",
        &[
            "sneezes",
            "a man sneezed",
            "she lets out a sneeze",
            "is sneezing",
            "sneezes into her elbow",
        ],
    ),
    (
        "look-around",
        &[
            "looks around",
            "she glances around",
            "he looks left and right",
            "a person scans the area",
            "peers around",
        ],
    ),
    (
        "jumping-jack",
        &[
            "does jumping jacks",
            "a person does five jumping jacks",
            "performing jumping jacks",
            "she does star jumps",
            "a star jump",
        ],
    ),
    (
        "squat",
        &[
            "does squats",
            "a person performs squats",
            "does three air squats",
            "he is doing knee bends",
            "she does a squat",
        ],
    ),
    (
        "lunge",
        &[
            "lunges",
            "does lunges",
            "she lunges forward",
            "a person performs a lunge",
            "he is lunging",
        ],
    ),
    (
        "throw",
        &[
            "throws a ball",
            "he threw a stone",
            "a person is throwing something",
            "she tosses the ball",
            "pitches a baseball",
        ],
    ),
    (
        "golf-swing",
        &[
            "swings a golf club",
            "plays golf",
            "a golfer tees off",
            "she is playing golf",
            "he hits a golf ball",
        ],
    ),
    (
        "baseball-swing",
        &[
            "swings a baseball bat",
            "he swings the bat",
            "plays baseball",
            "she hits a baseball",
            "hits a home run",
        ],
    ),
    (
        "drink",
        &[
            "drinks",
            "he drinks from a glass",
            "she takes a sip",
            "a person is drinking water",
            "drank a cup of coffee",
        ],
    ),
    (
        "eat",
        &["eats", "a person is eating", "she takes a bite", "he eats with a spoon", "ate an apple"],
    ),
    (
        "phone",
        &[
            "talks on the phone",
            "she makes a phone call",
            "he answers the phone",
            "a person is on the phone",
            "is talking on a cell phone",
        ],
    ),
    (
        "knock",
        &[
            "knocks on the door",
            "he knocks",
            "a person is knocking at the door",
            "she knocked three times",
            "raps on a door",
        ],
    ),
    (
        "push",
        &[
            "pushes a wall",
            "a person pushes",
            "he is pushing a box",
            "she shoves the door",
            "pushed forward",
        ],
    ),
    (
        "pull",
        &[
            "pulls a rope",
            "a person pulls",
            "she is tugging on the rope",
            "he hauls",
            "pulled something",
        ],
    ),
    (
        "sweep",
        &[
            "sweeps the floor",
            "he is sweeping with a broom",
            "a person mops",
            "she swept the floor",
            "uses a broom",
        ],
    ),
    (
        "type",
        &[
            "types on a keyboard",
            "she is typing",
            "works on the computer",
            "he typed on a laptop",
            "a person uses a computer",
        ],
    ),
    (
        "brush-teeth",
        &[
            "brushes his teeth",
            "a person is brushing their teeth",
            "she brushed her teeth",
            "cleans the teeth",
            "uses a toothbrush",
        ],
    ),
    (
        "drive",
        &[
            "drives a car",
            "he is driving",
            "she steers",
            "a person drives a truck",
            "turns the steering wheel",
        ],
    ),
    (
        "play-guitar",
        &[
            "plays the guitar",
            "she is playing guitar",
            "he strums",
            "a person played air guitar",
            "strums a guitar",
        ],
    ),
    (
        "play-drums",
        &[
            "plays the drums",
            "he is drumming",
            "beats a drum",
            "a drummer bangs the drums",
            "she played drums",
        ],
    ),
    (
        "play-piano",
        &[
            "plays the piano",
            "she is playing piano",
            "a person played the organ",
            "he plays a keyboard",
            "plays piano softly",
        ],
    ),
    (
        "jab",
        &[
            "he jabs",
            "throws a jab",
            "a boxer is jabbing",
            "two quick jabs",
            "she jabbed with the left fist",
        ],
    ),
    (
        "cross",
        &[
            "throws a cross",
            "a straight punch",
            "he throws a right cross",
            "she throws a straight",
            "a cross punch",
        ],
    ),
    (
        "hook",
        &[
            "she throws a left hook",
            "throws a hook",
            "a right hook",
            "he swings a haymaker",
            "hooks with the left fist",
        ],
    ),
    (
        "uppercut",
        &[
            "throws an uppercut",
            "an uppercut with the right",
            "he uppercuts",
            "she threw an uppercut",
            "a left uppercut",
        ],
    ),
    (
        "block",
        &["blocks", "he blocks a punch", "she is blocking an attack", "parries", "defends himself"],
    ),
    (
        "kneel",
        &[
            "kneels",
            "a person kneels down",
            "he dropped to his knees",
            "she kneels on both knees",
            "knelt",
        ],
    ),
    (
        "sit-on-floor",
        &[
            "someone sits on the floor",
            "sits down on the ground",
            "she sat on the floor",
            "he is sitting on the grass",
            "sit on the ground",
        ],
    ),
    (
        "lie-down",
        &[
            "lies down",
            "a person lies on their back",
            "he is lying on the floor",
            "she lay down on the ground",
            "falls asleep",
        ],
    ),
    (
        "lie-on-front",
        &[
            "lies on his stomach",
            "a person lies down on the belly",
            "lying on her front",
            "he lies face down",
            "lay prone",
        ],
    ),
    (
        "hands-and-knees",
        &[
            "gets on all fours",
            "a person gets on their hands and knees",
            "goes down on all fours",
            "he is on all fours",
            "she got down on her hands and knees",
        ],
    ),
    (
        "plank",
        &[
            "planks",
            "holds a plank",
            "a person does a plank",
            "he gets into a plank",
            "she is holding the plank",
        ],
    ),
    (
        "push-up",
        &[
            "does push-ups",
            "a person does three pushups",
            "he is doing push ups",
            "performs a push-up",
            "two press-ups",
        ],
    ),
    (
        "sit-up",
        &[
            "does sit-ups",
            "a person does five situps",
            "she is doing crunches",
            "performs sit ups",
            "three crunches",
        ],
    ),
    (
        "yawn",
        &["yawns", "a person is yawning", "he lets out a yawn", "she yawned", "a man gives a yawn"],
    ),
    (
        "shiver",
        &[
            "shivers",
            "she is trembling",
            "he shivers with cold",
            "a person shuddered",
            "a man quivers",
        ],
    ),
    (
        "despair",
        &[
            "despairs",
            "holds his head in his hands",
            "she clutches her head",
            "a person grabs their head",
            "he is in despair",
        ],
    ),
    (
        "shake-fist",
        &[
            "shakes his fist",
            "a person is shaking a fist",
            "he waves his fist",
            "she raised her fist",
            "he is angry",
        ],
    ),
    (
        "cower",
        &["cowers", "a person is cringing", "he cringes", "a child cowers", "cowering in fear"],
    ),
    ("flinch", &["she flinches", "a man winces", "someone is wincing", "flinching", "he winced"]),
    (
        "recoil",
        &[
            "he recoils",
            "someone shrinks back",
            "recoiling in horror",
            "she shies away",
            "they recoiled",
        ],
    ),
    (
        "shout",
        &[
            "shouts",
            "she is yelling",
            "he screams",
            "a person cups their hands around the mouth",
            "she yelled",
        ],
    ),
    ("bored", &["sighs", "he is bored", "a person lets out a sigh", "she looks bored", "sighed"]),
    (
        "catch",
        &[
            "catches a ball",
            "he caught the ball",
            "a person is catching something",
            "she catches",
            "catch",
        ],
    ),
    (
        "dribble",
        &[
            "dribbles a basketball",
            "a person is dribbling",
            "she bounces the ball",
            "he dribbled the ball",
            "dribbles",
        ],
    ),
    (
        "basketball-shot",
        &[
            "shoots a basketball",
            "plays basketball",
            "he takes a free throw",
            "she is playing basketball",
            "shoots a hoop",
        ],
    ),
    (
        "tennis-forehand",
        &[
            "plays tennis",
            "swings a tennis racket",
            "she hits a forehand",
            "he is playing tennis",
            "hits a tennis ball",
        ],
    ),
    (
        "bowl",
        &["bowls", "he is bowling", "rolls a bowling ball", "a person goes bowling", "she bowled"],
    ),
    (
        "archery",
        &[
            "shoots a bow",
            "draws a bow",
            "he shoots an arrow",
            "a person is doing archery",
            "she shot an arrow",
        ],
    ),
    (
        "stretch",
        &[
            "stretches",
            "she stretches her arms",
            "a person is stretching",
            "he stretched out",
            "does a stretch",
        ],
    ),
    (
        "toe-touch",
        &[
            "touches her toes",
            "a person touches their toes",
            "bends down and touches his toes",
            "reaches for the toes",
            "he touches the floor",
        ],
    ),
    (
        "side-bend",
        &[
            "does side bends",
            "bends to the side",
            "a person bends sideways",
            "she leans to the side",
            "a side bend",
        ],
    ),
    (
        "arm-circles",
        &[
            "does arm circles",
            "circles his arms",
            "she rotates her arms",
            "a person is doing arm circles",
            "windmills his arms",
        ],
    ),
    (
        "high-knees",
        &[
            "does high knees",
            "raises his knees",
            "she lifts her knees",
            "a person is doing high knees",
            "marches in place",
        ],
    ),
    (
        "lift-weights",
        &[
            "lifts weights",
            "a person lifts a barbell",
            "he is lifting weights",
            "she presses a barbell",
            "does an overhead press",
        ],
    ),
    (
        "biceps-curl",
        &[
            "does bicep curls",
            "curls a dumbbell",
            "a person is doing biceps curls",
            "she does curls",
            "a bicep curl",
        ],
    ),
    (
        "flex",
        &[
            "flexes",
            "he flexes his muscles",
            "she shows off her muscles",
            "a person is flexing",
            "flexed his biceps",
        ],
    ),
    (
        "write",
        &[
            "writes",
            "she is writing a letter",
            "he wrote a note",
            "a person takes notes",
            "signs the paper",
        ],
    ),
    (
        "read",
        &[
            "reads a book",
            "he is reading",
            "she reads the newspaper",
            "a person looks at a book",
            "holds a book",
        ],
    ),
    (
        "wipe",
        &[
            "wipes the table",
            "she is wiping the table",
            "he wiped the counter",
            "a person scrubs",
            "polishes",
        ],
    ),
    (
        "stir",
        &[
            "stirs the pot",
            "she is cooking",
            "he stirred the soup",
            "a person stirs with a spoon",
            "whisks",
        ],
    ),
    (
        "pour",
        &[
            "pours water",
            "she is pouring tea",
            "he poured a drink",
            "a person pours a glass",
            "pours out the tea",
        ],
    ),
    (
        "wash-hands",
        &[
            "washes his hands",
            "she is washing her hands",
            "rubs his hands together",
            "a person rubs their hands",
            "he washed the hands",
        ],
    ),
    (
        "open-door",
        &[
            "opens the door",
            "she opened a door",
            "a person is opening the door",
            "turns the doorknob",
            "he pulls open the door",
        ],
    ),
    (
        "pick-up",
        &[
            "picks up a coin",
            "a person picks something up",
            "she picked up the object",
            "he is picking up a stone",
            "picks up a pen",
        ],
    ),
    (
        "put-down",
        &[
            "puts down a box",
            "sets down the box",
            "a person puts something down",
            "she put it down",
            "he places it on the floor",
        ],
    ),
    (
        "dig",
        &[
            "digs a hole",
            "he is digging",
            "she dug with a shovel",
            "a person shovels snow",
            "uses a shovel",
        ],
    ),
    (
        "hammer",
        &[
            "hammers a nail",
            "he is hammering",
            "uses a hammer",
            "a person pounds",
            "she hit a nail",
        ],
    ),
    ("saw", &["saws wood", "he is sawing", "uses a saw", "a person cuts wood", "cuts with a saw"]),
    (
        "check-watch",
        &[
            "checks his watch",
            "looks at the watch",
            "she is checking the time",
            "a person looks at their wrist",
            "glances at her watch",
        ],
    ),
    (
        "take-photo",
        &[
            "takes a photo",
            "she is taking a picture",
            "he uses a camera",
            "a person photographs",
            "took a photograph",
        ],
    ),
    (
        "take-selfie",
        &[
            "takes a selfie",
            "took a selfie",
            "he snaps a selfie",
            "she poses for a selfie",
            "a person is shooting a selfie",
        ],
    ),
    (
        "comb-hair",
        &[
            "combs her hair",
            "he is brushing his hair",
            "fixes her hair",
            "a person combs",
            "styles the hair",
        ],
    ),
    (
        "march",
        &[
            "the woman marches ahead",
            "a soldier marches",
            "marching forward",
            "a man parades around",
            "he walks like a soldier",
        ],
    ),
    (
        "tiptoe",
        &[
            "someone tiptoes",
            "walks on tiptoes",
            "she walks on her toes",
            "a child goes on tiptoe",
            "he tiptoed backwards",
        ],
    ),
    (
        "duck",
        &[
            "ducks",
            "duck down",
            "a man ducks his head",
            "she takes cover",
            "he ducked under a branch",
        ],
    ),
    (
        "curtsy",
        &[
            "curtsies",
            "she makes a curtsy",
            "the woman drops a deep curtsy",
            "a girl curtsied",
            "do a curtsy",
        ],
    ),
    (
        "plie",
        &[
            "a woman dances ballet",
            "she does a plié",
            "ballet",
            "a man practises ballet",
            "the dancer does a demi plie",
        ],
    ),
    (
        "celebrate",
        &[
            "she celebrates",
            "a person celebrates a goal",
            "he celebrates his victory",
            "the player is celebrating",
            "someone does a victory dance",
        ],
    ),
    (
        "climb-stairs",
        &[
            "a person walks up the stairs",
            "she goes upstairs",
            "a man climbs the stairs",
            "he runs up the steps",
            "someone goes up a flight of stairs",
            "climb five stairs",
        ],
    ),
    (
        "descend-stairs",
        &[
            "a person walks down the stairs",
            "she goes downstairs",
            "a man descends the staircase",
            "he runs down the steps",
            "someone comes down the stairs slowly",
        ],
    ),
    (
        "roll",
        &[
            "a person does a forward roll",
            "she turns a somersault",
            "the stuntman rolls forward",
            "he somersaults",
            "a boy tumbles",
            "somebody does two somersaults",
        ],
    ),
    (
        "cartwheel",
        &[
            "a person does a cartwheel",
            "the girl cartwheels",
            "he turns a cartwheel to the left",
            "she performed three cartwheels",
            "somebody is doing cartwheels",
        ],
    ),
    (
        "pirouette",
        &[
            "the ballerina does a pirouette",
            "a dancer pirouettes to the left",
            "she performs a double pirouette",
            "a person spins on one foot",
            "he twirls on one leg",
        ],
    ),
    (
        "downward-dog",
        &[
            "a person does the downward dog",
            "she goes into downward dog",
            "he holds a downward facing dog",
            "someone gets into the downward dog",
            "downward dog",
        ],
    ),
];
